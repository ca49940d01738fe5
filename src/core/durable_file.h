// Files as a durable ledger needs them: a lock that keeps other writers out, and bytes that are on
// stable storage when the call returns.
//
// Paths are UTF-8. A file is created if it is missing, for its owner alone to read and write, and
// must be a regular file: a symbolic link, a directory, a pipe or a device is refused (Windows
// follows links). No file stays open after a call, and none reaches a program started by exec().
//
// Everything here throws ErrorKind::storage. The sentence names the path and the system's reason,
// and nothing that the file holds.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/platform_file.h"

namespace dp {

// An exclusive lock on a file, for as long as the object lives. It is advisory: it keeps out those
// who take it, not those who read or write the file.
//
// One object holds it at a time, whether the others are in this thread, another thread or another
// process; a thread that waits for its own lock waits for ever. The lock ends with the process,
// however that dies, but a forked child that lives on keeps the lock of a parent that was killed.
// In a forked child, the copied object holds nothing and releases nothing.
//
// The file is best one of its own: locking never changes it, and it may stay when all is done. If
// it is deleted or replaced meanwhile, those who waited for the old file lock the new one (on
// Windows, it cannot be deleted while it is locked).
class FileLock {
 public:
  // Waits until the lock is free, through signals, too. A caller whose user may lose patience asks
  // try_lock() again and again.
  explicit FileLock(const std::string& path);

  // Null if another object holds the lock.
  static std::optional<FileLock> try_lock(const std::string& path);

  FileLock(FileLock&&) = default;
  FileLock& operator=(FileLock&&) = delete;
  ~FileLock();

 private:
  explicit FileLock(PlatformFile file);

  PlatformFile file_;
  long process_;
};

// Writes `bytes` behind all others of the file. On return the bytes and the file's name are on
// stable storage. After an error, or a crash, any part of `bytes` may stand at the end of the file,
// and what was read back from it need not be on stable storage: the caller reads again and decides.
// Writers exclude each other with a FileLock.
void append_durably(const std::string& path, std::string_view bytes);

// The same for a file that is open to append or to update, but for the folder that names it.
void write_durably(PlatformFile& file, std::string_view bytes);

// Makes `bytes` all that the file holds. A reader finds either the old content or the new one, and
// so does who looks after a crash; on return the new one is on stable storage. If an error is
// thrown, the old content stands, unless only the flush of the directory failed: then either does.
// A crash may leave a file `<path>.<process>-<number>.new` behind.
//
// Windows cannot replace a file that a reader has open unless it shares deletion; there the call
// tries for a second before it throws.
void replace_durably(const std::string& path, std::string_view bytes);

}  // namespace dp
