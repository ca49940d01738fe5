// Files for a durable ledger: a lock that excludes other writers, and bytes that are on stable
// storage when the call returns.
//
// Paths are UTF-8. A missing file is created, with access only for its owner. Files must be
// regular: a symbolic link, a directory, a pipe or a device throws (Windows follows links). No file
// stays open after a call, and programs started by exec() inherit none.
//
// All functions throw ErrorKind::storage. The sentence names the path and the system's reason, but
// no content of the file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/platform_file.h"

namespace dp {

// An exclusive lock on a file, for as long as the object lives. It is advisory: it excludes only
// those who take the lock, not other readers or writers of the file.
//
// One object holds it at a time, whether the others are in this thread, another thread or another
// process. A thread that waits for its own lock waits forever. The lock ends with the process,
// however the process dies. But a forked child keeps the lock of a parent that was killed. In a
// forked child, the copied object holds nothing and releases nothing.
//
// Use a separate file for the lock: locking never changes it, and it can stay afterwards. If it is
// deleted or replaced during a wait, waiting processes lock the new file (on Windows, a locked file
// cannot be deleted).
class FileLock {
 public:
  // Waits until the lock is free, even through signals. To let a user interrupt, call try_lock()
  // repeatedly.
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

// Appends `bytes` to the file. On return the bytes and the file's name are on stable storage. After
// an error or a crash, the file can end with any part of `bytes`, and bytes read back need not be
// on stable storage: read the file again and decide. Writers exclude each other with a FileLock.
void append_durably(const std::string& path, std::string_view bytes);

// Writes to a file that is open to append or to update. It does not flush the folder that names it.
void write_durably(PlatformFile& file, std::string_view bytes);

// Replaces the content of the file by `bytes`. Readers see either the old content or the new one,
// even after a crash. On return the new content is on stable storage. If an error is thrown, the
// old content remains, unless only the flush of the directory failed: then the file has one of the
// two. A crash can leave a file `<path>.<process>-<number>.new` behind.
//
// Windows cannot replace a file while a reader has it open, unless the reader shares deletion.
// There the call tries for a second before it throws.
void replace_durably(const std::string& path, std::string_view bytes);

}  // namespace dp
