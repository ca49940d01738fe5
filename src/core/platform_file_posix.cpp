#ifndef _WIN32

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>

#include "core/platform_file.h"
#include "core/platform_file_faults.h"
#include "core/platform_file_refusals.h"

namespace dp {
namespace {

[[noreturn]] void fail_with_errno(const std::string& path, const char* what) {
  refuse_file(path, what, std::generic_category().message(errno));
}

// Repeats a call after a signal; -1 with errno if the system fails.
template <class Call>
auto on_disk(DiskCall kind, std::size_t size, Call call) {
  const std::ptrdiff_t part = ask_disk(kind, size);
  if (part < 0) {
    errno = part == kDiskFull ? ENOSPC : EIO;
    return decltype(call(size)){-1};
  }
  for (;;) {
    const auto result = call(static_cast<std::size_t>(part));
    if (result != -1 || errno != EINTR) return result;
  }
}

template <class Call>
auto on_disk(DiskCall kind, Call call) {
  return on_disk(kind, 0, [&](std::size_t) { return call(); });
}

// -1 with errno if the system fails.
int open_regular(const std::string& path, int flags) {
  refuse_zero_byte(path);
  // Without O_NONBLOCK, opening a pipe would wait.
  flags |= O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  const int file = on_disk(DiskCall::open, [&] { return open(path.c_str(), flags, 0600); });
  struct stat status = {};
  if (file != -1 && (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))) {
    close(file);
    refuse_irregular(path);
  }
  return file;
}

// A write past the limit of file sizes (RLIMIT_FSIZE) fails, and sends this thread a signal that
// would end the process. This object blocks the signal while it lives.
class NoSizeSignal {
 public:
  NoSizeSignal() : was_pending_(is_pending()) {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  }
  NoSizeSignal(const NoSizeSignal&) = delete;
  NoSizeSignal& operator=(const NoSizeSignal&) = delete;
  ~NoSizeSignal() {
    const int error = errno;
    int number = 0;
    if (!was_pending_ && is_pending()) sigwait(&signals_, &number);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = error;
  }

 private:
  static bool is_pending() {
    sigset_t pending;
    return sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;
  }

  bool was_pending_;
  sigset_t signals_;
  sigset_t before_;
};

struct stat file_status(const std::string& path, int file) {
  struct stat status = {};
  if (fstat(file, &status) != 0) fail_with_errno(path, kOpened);
  return status;
}

// False with errno on failure.
bool flush_descriptor(DiskCall kind, int file) {
#ifdef F_FULLFSYNC
  // There, fsync() leaves the bytes in the drive's cache. Some file systems lack F_FULLFSYNC.
  if (on_disk(kind, [&] { return fcntl(file, F_FULLFSYNC); }) != -1) return true;
  if (errno != ENOTSUP && errno != EINVAL && errno != ENOTTY) return false;
#endif
  return on_disk(kind, [&] { return fsync(file); }) == 0;
}

}  // namespace

void PlatformFile::fail(const char* what) const { fail_with_errno(path_, what); }

PlatformFile PlatformFile::open_to_append(const std::string& path) {
  const int file = open_regular(path, O_WRONLY | O_APPEND | O_CREAT);
  if (file == -1) fail_with_errno(path, kOpened);
  return PlatformFile(path, file);
}

// Opens to write, because network file systems can only lock files that are open to write.
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

PlatformFile PlatformFile::open_to_read(const std::string& path) {
  const int file = open_regular(path, O_RDONLY);
  if (file == -1) fail_with_errno(path, kOpened);
  return PlatformFile(path, file);
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
  const NoSizeSignal quiet;
  const ssize_t written =
      on_disk(DiskCall::write, size, [&](std::size_t part) { return write(file, bytes, part); });
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
  const ssize_t count = on_disk(
      DiskCall::read, size, [&](std::size_t part) { return pread(file, bytes, part, place); });
  if (count == -1) fail(kRead);
  return static_cast<std::size_t>(count);
}

void PlatformFile::shorten(std::uint64_t size) {
  const auto file = static_cast<int>(handle_);
  const auto end = static_cast<off_t>(size);
  if (on_disk(DiskCall::shorten, [&] { return ftruncate(file, end); }) != 0) fail(kWritten);
}

void PlatformFile::flush() {
  if (!flush_descriptor(DiskCall::flush, static_cast<int>(handle_))) fail(kFlushed);
}

// Not fcntl(F_SETLK): such a lock belongs to the process, and ends when the process closes any
// handle of the file.
bool PlatformFile::lock(bool wait) {
  const auto file = static_cast<int>(handle_);
  const int how = wait ? LOCK_EX : LOCK_EX | LOCK_NB;
  if (on_disk(DiskCall::lock, [&] { return flock(file, how); }) == 0) return true;
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
  const auto rename = [&] { return std::rename(from.c_str(), to.c_str()); };
  if (on_disk(DiskCall::rename, rename) != 0) fail_with_errno(to, kReplaced);
}

void delete_file(const std::string& path) { unlink(path.c_str()); }

void flush_folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  const int file = on_disk(DiskCall::open, [&] { return open(folder.c_str(), kFlags); });
  if (file == -1) fail_with_errno(folder, kOpened);
  const bool flushed = flush_descriptor(DiskCall::flush_folder, file);
  const int error = errno;
  close(file);
  errno = error;
  if (!flushed) fail_with_errno(folder, kFlushed);
}

}  // namespace dp

#endif
