#include "core/platform_file.h"

#include <utility>

#include "core/error.h"

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#else
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#endif

namespace dp {
namespace {

constexpr const char* kOpened = "cannot be opened";
constexpr const char* kRead = "cannot be read";
constexpr const char* kWritten = "cannot be written";
constexpr const char* kLocked = "cannot be locked";
constexpr const char* kFlushed = "cannot be flushed to stable storage";
constexpr const char* kReplaced = "cannot be replaced";

[[noreturn]] void refuse(const std::string& path, const char* what, const std::string& reason) {
  throw Error(ErrorKind::storage, "`" + path + "` " + what + ": " + reason + ".");
}

[[noreturn]] void refuse_second_name(const std::string& path) {
  refuse(path, kOpened, "it is a hard link, and has another name");
}

[[noreturn]] void refuse_irregular(const std::string& path) {
  refuse(path, kOpened, "it is not a regular file");
}

// The system would cut such a name short, and another file be meant.
void refuse_zero_byte(const std::string& path) {
  const std::size_t zero = path.find('\0');
  if (zero != std::string::npos) {
    refuse(path.substr(0, zero), kOpened, "its name goes on with a zero byte");
  }
}

}  // namespace

PlatformFile::PlatformFile(std::string path, std::intptr_t handle)
    : path_(std::move(path)), handle_(handle) {}

PlatformFile::PlatformFile(PlatformFile&& other) noexcept
    : path_(std::move(other.path_)), handle_(std::exchange(other.handle_, kNone)) {}

PlatformFile& PlatformFile::operator=(PlatformFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(handle_, other.handle_);
  return *this;
}

#ifdef _WIN32

namespace {

HANDLE as_handle(std::intptr_t handle) { return reinterpret_cast<HANDLE>(handle); }

[[noreturn]] void fail_with_last_error(const std::string& path, const char* what) {
  refuse(path, what, "error " + std::to_string(GetLastError()) + " of Windows");
}

std::wstring wide(const std::string& path) {
  refuse_zero_byte(path);
  const auto size = static_cast<int>(path.size());
  const int units =
      MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path.data(), size, nullptr, 0);
  if (units == 0) refuse(path, kOpened, "its name is not UTF-8");
  std::wstring out(static_cast<std::size_t>(units), L'\0');
  MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path.data(), size, out.data(), units);
  return out;
}

// INVALID_HANDLE_VALUE if the system refuses, with its last error.
HANDLE open_regular(const std::string& path,
                    DWORD access,
                    DWORD disposition,
                    DWORD flags = FILE_ATTRIBUTE_NORMAL) {
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

// What the system says of an open file.
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
  constexpr std::size_t kMost = std::size_t{1} << 30;
  const auto part = static_cast<DWORD>(size < kMost ? size : kMost);
  DWORD written = 0;
  OVERLAPPED end = place_at(~std::uint64_t{0});  // stands for the end of the file
  if (WriteFile(as_handle(handle_), bytes, part, &written, &end) == 0) fail(kWritten);
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
  constexpr std::size_t kMost = std::size_t{1} << 30;
  const auto part = static_cast<DWORD>(size < kMost ? size : kMost);
  DWORD count = 0;
  OVERLAPPED place = place_at(offset);
  if (ReadFile(as_handle(handle_), bytes, part, &count, &place) == 0 &&
      GetLastError() != ERROR_HANDLE_EOF) {
    fail(kRead);
  }
  return count;
}

void PlatformFile::shorten(std::uint64_t size) {
  LARGE_INTEGER end = {};
  end.QuadPart = static_cast<LONGLONG>(size);
  if (SetFilePointerEx(as_handle(handle_), end, nullptr, FILE_BEGIN) == 0 ||
      SetEndOfFile(as_handle(handle_)) == 0) {
    fail(kWritten);
  }
}

void PlatformFile::fail_as_full_disk() const {
  SetLastError(ERROR_DISK_FULL);
  fail(kWritten);
}

void PlatformFile::flush() {
  if (FlushFileBuffers(as_handle(handle_)) == 0) fail(kFlushed);
}

bool PlatformFile::lock(bool wait) {
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
  // Readers, and scanners of new files, stand in the way for a moment.
  for (int attempt = 1; MoveFileExW(source.c_str(), target.c_str(), kFlags) == 0; ++attempt) {
    const DWORD error = GetLastError();
    const bool is_in_use = error == ERROR_ACCESS_DENIED || error == ERROR_SHARING_VIOLATION;
    if (!is_in_use || attempt == 100) fail_with_last_error(to, kReplaced);
    Sleep(10);
  }
}

void delete_file(const std::string& path) { DeleteFileW(wide(path).c_str()); }

// NTFS flushes a new name along with its file, and the renaming above writes through.
void flush_folder_of(const std::string&) {}

#else

namespace {

[[noreturn]] void fail_with_errno(const std::string& path, const char* what) {
  refuse(path, what, std::generic_category().message(errno));
}

// Calls again after a signal.
template <class Call>
auto uninterrupted(Call call) {
  for (;;) {
    const auto result = call();
    if (result != -1 || errno != EINTR) return result;
  }
}

// -1 if the system refuses, with errno.
int open_regular(const std::string& path, int flags) {
  refuse_zero_byte(path);
  // Without O_NONBLOCK, a pipe would be waited for.
  flags |= O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  const int file = uninterrupted([&] { return open(path.c_str(), flags, 0600); });
  struct stat status = {};
  if (file != -1 && (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))) {
    close(file);
    refuse_irregular(path);
  }
  return file;
}

struct stat file_status(const std::string& path, int file) {
  struct stat status = {};
  if (fstat(file, &status) != 0) fail_with_errno(path, kOpened);
  return status;
}

// False with errno on failure.
bool flush_descriptor(int file) {
#ifdef F_FULLFSYNC
  // fsync() leaves the bytes in the drive's own cache there. Some file systems lack the other call.
  if (uninterrupted([&] { return fcntl(file, F_FULLFSYNC); }) != -1) return true;
  if (errno != ENOTSUP && errno != EINVAL && errno != ENOTTY) return false;
#endif
  return uninterrupted([&] { return fsync(file); }) == 0;
}

}  // namespace

void PlatformFile::fail(const char* what) const { fail_with_errno(path_, what); }

PlatformFile PlatformFile::open_to_append(const std::string& path) {
  const int file = open_regular(path, O_WRONLY | O_APPEND | O_CREAT);
  if (file == -1) fail_with_errno(path, kOpened);
  return PlatformFile(path, file);
}

// To write, as network file systems lock nothing else.
PlatformFile PlatformFile::open_to_lock(const std::string& path) {
  const int file = open_regular(path, O_RDWR | O_CREAT);
  if (file == -1) fail_with_errno(path, kOpened);
  return PlatformFile(path, file);
}

PlatformFile PlatformFile::open_to_update(const std::string& path) {
  const int number = open_regular(path, O_RDWR | O_APPEND);
  if (number == -1) fail_with_errno(path, kOpened);
  PlatformFile file(path, number);
  if (file_status(path, number).st_nlink != 1) refuse_second_name(path);
  return file;
}

std::optional<PlatformFile> PlatformFile::create(const std::string& path) {
  const int file = open_regular(path, O_WRONLY | O_CREAT | O_EXCL);
  if (file == -1) {
    if (errno == EEXIST) return std::nullopt;
    fail_with_errno(path, kOpened);
  }
  return PlatformFile(path, file);
}

PlatformFile::~PlatformFile() {
  if (is_open()) close(static_cast<int>(handle_));
}

std::size_t PlatformFile::write_some(const char* bytes, std::size_t size) {
  const auto file = static_cast<int>(handle_);
  const ssize_t written = uninterrupted([&] { return write(file, bytes, size); });
  if (written == -1) fail(kWritten);
  return static_cast<std::size_t>(written);
}

std::uint64_t PlatformFile::size() const {
  return static_cast<std::uint64_t>(file_status(path_, static_cast<int>(handle_)).st_size);
}

FileIdentity PlatformFile::identity() const {
  const struct stat status = file_status(path_, static_cast<int>(handle_));
  return {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino)};
}

std::size_t PlatformFile::read_some(std::uint64_t offset, char* bytes, std::size_t size) const {
  const auto file = static_cast<int>(handle_);
  const auto place = static_cast<off_t>(offset);
  const ssize_t count = uninterrupted([&] { return pread(file, bytes, size, place); });
  if (count == -1) fail(kRead);
  return static_cast<std::size_t>(count);
}

void PlatformFile::shorten(std::uint64_t size) {
  const auto file = static_cast<int>(handle_);
  const auto end = static_cast<off_t>(size);
  if (uninterrupted([&] { return ftruncate(file, end); }) != 0) fail(kWritten);
}

void PlatformFile::fail_as_full_disk() const {
  errno = ENOSPC;
  fail(kWritten);
}

void PlatformFile::flush() {
  if (!flush_descriptor(static_cast<int>(handle_))) fail(kFlushed);
}

// Not fcntl(F_SETLK): such a lock belongs to the process, and ends when the process closes any
// handle of the file.
bool PlatformFile::lock(bool wait) {
  const auto file = static_cast<int>(handle_);
  const int how = wait ? LOCK_EX : LOCK_EX | LOCK_NB;
  if (uninterrupted([&] { return flock(file, how); }) == 0) return true;
  if (wait || errno != EWOULDBLOCK) fail(kLocked);
  return false;
}

void PlatformFile::unlock() { flock(static_cast<int>(handle_), LOCK_UN); }

bool PlatformFile::is_in_place() const {
  struct stat named = {};
  struct stat opened = {};
  return lstat(path_.c_str(), &named) == 0 && fstat(static_cast<int>(handle_), &opened) == 0 &&
         named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

void rename_file(const std::string& from, const std::string& to) {
  refuse_zero_byte(to);
  if (std::rename(from.c_str(), to.c_str()) != 0) fail_with_errno(to, kReplaced);
}

void delete_file(const std::string& path) { unlink(path.c_str()); }

void flush_folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  const int file = uninterrupted([&] { return open(folder.c_str(), kFlags); });
  if (file == -1) fail_with_errno(folder, kOpened);
  const bool flushed = flush_descriptor(file);
  const int error = errno;
  close(file);
  errno = error;
  if (!flushed) fail_with_errno(folder, kFlushed);
}

#endif

}  // namespace dp
