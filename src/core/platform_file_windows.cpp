#ifdef _WIN32

#include "core/platform_file.h"
#include "core/platform_file_faults.h"
#include "core/platform_file_refusals.h"
#include "core/platform_windows.h"

namespace dp {
namespace {

HANDLE as_handle(std::intptr_t handle) { return reinterpret_cast<HANDLE>(handle); }

[[noreturn]] void fail_with_last_error(const std::string& path, const char* what) {
  refuse_file(path, what, "error " + std::to_string(GetLastError()) + " of Windows");
}

// Number of `size` bytes to pass to the system; empty, with its last error, if a fault is
// simulated.
std::optional<DWORD> given_to_disk(DiskCall call, std::size_t size) {
  constexpr std::size_t kMost = std::size_t{1} << 30;
  const std::ptrdiff_t part = ask_disk(call, size < kMost ? size : kMost);
  if (part >= 0) return static_cast<DWORD>(part);
  SetLastError(part == kDiskFull ? ERROR_DISK_FULL : ERROR_IO_DEVICE);
  return std::nullopt;
}

bool is_refused(DiskCall call) { return !given_to_disk(call, 0); }

std::wstring wide(const std::string& path) {
  refuse_zero_byte(path);
  const auto size = static_cast<int>(path.size());
  const int units =
      MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path.data(), size, nullptr, 0);
  if (units == 0) refuse_file(path, kOpened, "its name is not UTF-8");
  std::wstring out(static_cast<std::size_t>(units), L'\0');
  MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path.data(), size, out.data(), units);
  return out;
}

// INVALID_HANDLE_VALUE if the system fails, with its last error.
HANDLE open_regular(const std::string& path,
                    DWORD access,
                    DWORD disposition,
                    DWORD flags = FILE_ATTRIBUTE_NORMAL) {
  if (is_refused(DiskCall::open)) return INVALID_HANDLE_VALUE;
  const HANDLE file = CreateFileW(wide(path).c_str(),
                                  access,
                                  FILE_SHARE_READ | FILE_SHARE_WRITE,
                                  nullptr,
                                  disposition,
                                  flags,
                                  nullptr);
  if (file != INVALID_HANDLE_VALUE && GetFileType(file) != FILE_TYPE_DISK) {
    CloseHandle(file);
    refuse_irregular(path);
  }
  return file;
}

// Locks there bind readers and writers, too, so one byte is locked far behind the end of the file.
OVERLAPPED place_at(std::uint64_t offset) {
  OVERLAPPED place = {};
  place.Offset = static_cast<DWORD>(offset);
  place.OffsetHigh = static_cast<DWORD>(offset >> 32);
  return place;
}

OVERLAPPED far_byte() { return place_at(std::uint64_t{0x40000000} << 32); }

// The system's status of an open file.
BY_HANDLE_FILE_INFORMATION status_of(const std::string& path, HANDLE file) {
  BY_HANDLE_FILE_INFORMATION status = {};
  if (GetFileInformationByHandle(file, &status) == 0) fail_with_last_error(path, kOpened);
  return status;
}

}  // namespace

void PlatformFile::fail(const char* what) const { fail_with_last_error(path_, what); }

PlatformFile PlatformFile::open_to_append(const std::string& path) {
  const HANDLE file = open_regular(path, FILE_APPEND_DATA, OPEN_ALWAYS);
  if (file == INVALID_HANDLE_VALUE) fail_with_last_error(path, kOpened);
  return PlatformFile(path, reinterpret_cast<std::intptr_t>(file));
}

PlatformFile PlatformFile::open_to_lock(const std::string& path) {
  const HANDLE file = open_regular(path, GENERIC_READ | GENERIC_WRITE, OPEN_ALWAYS);
  if (file == INVALID_HANDLE_VALUE) fail_with_last_error(path, kOpened);
  return PlatformFile(path, reinterpret_cast<std::intptr_t>(file));
}

PlatformFile PlatformFile::open_to_update(const std::string& path) {
  const HANDLE handle =
      open_regular(path, GENERIC_READ | GENERIC_WRITE, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT);
  if (handle == INVALID_HANDLE_VALUE) fail_with_last_error(path, kOpened);
  PlatformFile file(path, reinterpret_cast<std::intptr_t>(handle));
  const BY_HANDLE_FILE_INFORMATION status = status_of(path, handle);
  constexpr DWORD kNotRegular = FILE_ATTRIBUTE_REPARSE_POINT | FILE_ATTRIBUTE_DIRECTORY;
  if ((status.dwFileAttributes & kNotRegular) != 0) refuse_irregular(path);
  if (status.nNumberOfLinks != 1) refuse_second_name(path);
  return file;
}

PlatformFile PlatformFile::open_to_read(const std::string& path) {
  const HANDLE file = open_regular(path, GENERIC_READ, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT);
  if (file == INVALID_HANDLE_VALUE) fail_with_last_error(path, kOpened);
  return PlatformFile(path, reinterpret_cast<std::intptr_t>(file));
}

std::optional<PlatformFile> PlatformFile::create(const std::string& path) {
  const HANDLE file = open_regular(path, GENERIC_WRITE, CREATE_NEW);
  if (file == INVALID_HANDLE_VALUE) {
    if (GetLastError() == ERROR_FILE_EXISTS) return std::nullopt;
    fail_with_last_error(path, kOpened);
  }
  return PlatformFile(path, reinterpret_cast<std::intptr_t>(file));
}

PlatformFile::~PlatformFile() {
  if (is_open()) CloseHandle(as_handle(handle_));
}

std::size_t PlatformFile::write_some(const char* bytes, std::size_t size) {
  const auto part = given_to_disk(DiskCall::write, size);
  if (!part) fail(kWritten);
  DWORD written = 0;
  OVERLAPPED end = place_at(~std::uint64_t{0});  // stands for the end of the file
  if (WriteFile(as_handle(handle_), bytes, *part, &written, &end) == 0) fail(kWritten);
  return written;
}

std::uint64_t PlatformFile::size() const {
  const BY_HANDLE_FILE_INFORMATION status = status_of(path_, as_handle(handle_));
  return std::uint64_t{status.nFileSizeHigh} << 32 | status.nFileSizeLow;
}

FileIdentity PlatformFile::identity() const {
  const BY_HANDLE_FILE_INFORMATION status = status_of(path_, as_handle(handle_));
  return {status.dwVolumeSerialNumber,
          std::uint64_t{status.nFileIndexHigh} << 32 | status.nFileIndexLow};
}

std::size_t PlatformFile::read_some(std::uint64_t offset, char* bytes, std::size_t size) const {
  const auto part = given_to_disk(DiskCall::read, size);
  if (!part) fail(kRead);
  DWORD count = 0;
  OVERLAPPED place = place_at(offset);
  if (ReadFile(as_handle(handle_), bytes, *part, &count, &place) == 0 &&
      GetLastError() != ERROR_HANDLE_EOF) {
    fail(kRead);
  }
  return count;
}

void PlatformFile::shorten(std::uint64_t size) {
  LARGE_INTEGER end = {};
  end.QuadPart = static_cast<LONGLONG>(size);
  if (is_refused(DiskCall::shorten) ||
      SetFilePointerEx(as_handle(handle_), end, nullptr, FILE_BEGIN) == 0 ||
      SetEndOfFile(as_handle(handle_)) == 0) {
    fail(kWritten);
  }
}

void PlatformFile::flush() {
  if (is_refused(DiskCall::flush) || FlushFileBuffers(as_handle(handle_)) == 0) fail(kFlushed);
}

bool PlatformFile::lock(bool wait) {
  if (is_refused(DiskCall::lock)) fail(kLocked);
  OVERLAPPED place = far_byte();
  const DWORD flags = LOCKFILE_EXCLUSIVE_LOCK | (wait ? 0 : LOCKFILE_FAIL_IMMEDIATELY);
  if (LockFileEx(as_handle(handle_), flags, 0, 1, 0, &place) != 0) return true;
  const DWORD error = GetLastError();
  if (wait || (error != ERROR_LOCK_VIOLATION && error != ERROR_IO_PENDING)) fail(kLocked);
  return false;
}

void PlatformFile::unlock() {
  OVERLAPPED place = far_byte();
  UnlockFileEx(as_handle(handle_), 0, 1, 0, &place);
}

// An open file there is neither deleted nor renamed.
bool PlatformFile::is_in_place() const { return true; }

void rename_file(const std::string& from, const std::string& to) {
  constexpr DWORD kFlags = MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH;
  const std::wstring source = wide(from);
  const std::wstring target = wide(to);
  if (is_refused(DiskCall::rename)) fail_with_last_error(to, kReplaced);
  // Readers, and scanners of new files, can block the replacement for a moment.
  for (int attempt = 1; MoveFileExW(source.c_str(), target.c_str(), kFlags) == 0; ++attempt) {
    const DWORD error = GetLastError();
    const bool is_in_use = error == ERROR_ACCESS_DENIED || error == ERROR_SHARING_VIOLATION;
    if (!is_in_use || attempt == 100) fail_with_last_error(to, kReplaced);
    Sleep(10);
  }
}

void delete_file(const std::string& path) { DeleteFileW(wide(path).c_str()); }

// NTFS flushes a new name along with its file, and rename_file() writes through.
void flush_folder_of(const std::string&) {}

}  // namespace dp

#endif
