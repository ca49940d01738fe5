// File calls of operating systems for durable_file.h.
//
// Paths are UTF-8. Failures throw ErrorKind::storage; the sentence names the path and the system's
// reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace dp {

// Identifies a file among all files that exist at the same time, whatever their names.
struct FileIdentity {
  std::uint64_t volume = 0;
  std::uint64_t number = 0;

  bool operator==(const FileIdentity& other) const {
    return volume == other.volume && number == other.number;
  }
  bool operator!=(const FileIdentity& other) const { return !(*this == other); }
};

// An open regular file, which closes automatically, and which programs started by exec() do not
// inherit. A missing file is created, with access only for its owner.
class PlatformFile {
 public:
  // Opens a file to append to it, or to lock it. Throws unless it is a regular file.
  static PlatformFile open_to_append(const std::string& path);
  static PlatformFile open_to_lock(const std::string& path);
  // Opens a file to read it, append to it, and shorten it. Throws if it is missing, is not a
  // regular file, or has a second name (a hard link), because it could be changed through that
  // name.
  static PlatformFile open_to_update(const std::string& path);
  // Opens a file to read only. Throws if it is missing or not a regular file.
  static PlatformFile open_to_read(const std::string& path);
  // Creates a file to write; null if the name exists.
  static std::optional<PlatformFile> create(const std::string& path);

  PlatformFile(PlatformFile&& other) noexcept;
  PlatformFile& operator=(PlatformFile&& other) noexcept;
  ~PlatformFile();

  // False after a move from this object.
  bool is_open() const { return handle_ != kNone; }

  // Writes at least one byte, and returns the number of written bytes; `size` is at least 1.
  std::size_t write_some(const char* bytes, std::size_t size);

  std::uint64_t size() const;
  FileIdentity identity() const;
  // Reads up to `size` bytes from `offset` on; returns their number, which is 0 only at the end of
  // the file.
  std::size_t read_some(std::uint64_t offset, char* bytes, std::size_t size) const;
  // Keeps only the first `size` bytes of the file.
  void shorten(std::uint64_t size);

  // Returns when all written bytes are on stable storage, not only in the cache of a drive.
  void flush();

  // Locks the file for only this object, even against others of this process. False if `wait` is
  // false and the lock is taken. The lock ends when no copy of the handle is open any more, and a
  // forked child has copies.
  bool lock(bool wait);
  // Ends the lock for all copies of the handle.
  void unlock();

  // Whether its path still leads to the file.
  bool is_in_place() const;

 private:
  static constexpr std::intptr_t kNone = -1;

  PlatformFile(std::string path, std::intptr_t handle);
  [[noreturn]] void fail(const char* what) const;

  std::string path_;
  std::intptr_t handle_;
};

// Renames a file, replacing an existing one. On failure, throws and changes nothing.
void rename_file(const std::string& from, const std::string& to);

// Does nothing if that fails.
void delete_file(const std::string& path);

// Returns when the names in the folder that holds `path` are on stable storage.
void flush_folder_of(const std::string& path);

}  // namespace dp
