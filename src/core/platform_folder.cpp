#include "core/platform_folder.h"

#include "core/error.h"

#ifdef _WIN32
#include "core/platform_windows.h"
#else
#include <sys/stat.h>
#if defined(__APPLE__) || defined(__FreeBSD__)
#include <sys/mount.h>
#include <sys/param.h>
#else
#include <sys/vfs.h>
#endif

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <system_error>
#endif

namespace dp {
namespace {

[[noreturn]] void refuse_folder(const std::string& path, const std::string& reason) {
  throw Error(ErrorKind::storage, "`" + path + "` cannot be used: " + reason + ".");
}

void check_folder_name(const std::string& path) {
  const std::size_t zero = path.find('\0');
  if (zero == std::string::npos) return;
  refuse_folder(path.substr(0, zero), "its name goes on with a zero byte");
}

constexpr const char* kNoFolder = "it is not a folder";
constexpr const char* kForeignDisk =
    "it is on a file system that does not keep writers of several machines apart; use a local one";

}  // namespace

#ifdef _WIN32

namespace {

std::wstring wide_folder(const std::string& path) {
  check_folder_name(path);
  const auto size = static_cast<int>(path.size());
  const int units =
      MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path.data(), size, nullptr, 0);
  if (units == 0) refuse_folder(path, "its name is not UTF-8");
  std::wstring out(static_cast<std::size_t>(units), L'\0');
  MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path.data(), size, out.data(), units);
  return out;
}

}  // namespace

bool make_folder(const std::string& path) {
  if (CreateDirectoryW(wide_folder(path).c_str(), nullptr) != 0) return true;
  const DWORD error = GetLastError();
  if (error == ERROR_ALREADY_EXISTS) return false;
  refuse_folder(path, "error " + std::to_string(error) + " of Windows");
}

void check_ledger_folder(const std::string& path) {
  const std::wstring name = wide_folder(path);
  const DWORD attributes = GetFileAttributesW(name.c_str());
  if (attributes == INVALID_FILE_ATTRIBUTES || (attributes & FILE_ATTRIBUTE_DIRECTORY) == 0 ||
      (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0) {
    refuse_folder(path, kNoFolder);
  }
  wchar_t volume[MAX_PATH + 1] = {};
  if (GetVolumePathNameW(name.c_str(), volume, MAX_PATH) != 0 &&
      GetDriveTypeW(volume) == DRIVE_REMOTE) {
    refuse_folder(path, kForeignDisk);
  }
}

#else

namespace {

[[noreturn]] void refuse_with_errno(const std::string& path) {
  refuse_folder(path, std::generic_category().message(errno));
}

#if defined(__APPLE__) || defined(__FreeBSD__)

bool is_foreign(const struct statfs& status) {
  for (const char* name : {"smbfs", "webdav", "afpfs", "macfuse", "osxfuse", "fusefs"}) {
    if (std::strcmp(status.f_fstypename, name) == 0) return true;
  }
  return false;
}

#else

// From the manual page statfs(2).
bool is_foreign(const struct statfs& status) {
  constexpr std::uint32_t kForeign[] = {
      0x517b,      // SMB
      0xfe534d42,  // SMB2
      0xff534d42,  // CIFS
      0x65735546,  // FUSE
      0x01021997,  // 9P
  };
  for (const std::uint32_t kind : kForeign) {
    if (static_cast<std::uint32_t>(status.f_type) == kind) return true;
  }
  return false;
}

#endif

}  // namespace

bool make_folder(const std::string& path) {
  check_folder_name(path);
  if (mkdir(path.c_str(), 0700) == 0) return true;
  if (errno == EEXIST) return false;
  refuse_with_errno(path);
}

void check_ledger_folder(const std::string& path) {
  check_folder_name(path);
  struct stat named = {};
  if (lstat(path.c_str(), &named) != 0) refuse_with_errno(path);
  if (!S_ISDIR(named.st_mode)) refuse_folder(path, kNoFolder);
  struct statfs disk = {};
  if (statfs(path.c_str(), &disk) != 0) refuse_with_errno(path);
  if (is_foreign(disk)) refuse_folder(path, kForeignDisk);
}

#endif

}  // namespace dp
