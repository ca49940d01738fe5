// The calls of operating systems on files, as durable_file.h needs them, and no more.
//
// Paths are UTF-8. Everything that fails throws ErrorKind::storage; the sentence names the path and
// the system's reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace dp {

// What distinguishes a file from all others that exist at the same time, whatever their names.
struct FileIdentity {
  std::uint64_t volume = 0;
  std::uint64_t number = 0;

  bool operator==(const FileIdentity& other) const {
    return volume == other.volume && number == other.number;
  }
  bool operator!=(const FileIdentity& other) const { return !(*this == other); }
};

// An open regular file, which closes itself and which no program started by exec() inherits. One
// that was missing is created for its owner alone to read and write.
class PlatformFile {
 public:
  // To write behind all that the file holds, or to lock it. Refuses what is no regular file.
  static PlatformFile open_to_append(const std::string& path);
  static PlatformFile open_to_lock(const std::string& path);
  // To read, to write behind all that the file holds, and to shorten it. Refuses what is missing,
  // is no regular file, or has a second name (a hard link), through which it could be changed.
  static PlatformFile open_to_update(const std::string& path);
  // To read only. Refuses what is missing or is no regular file.
  static PlatformFile open_to_read(const std::string& path);
  // To write; null if there is a file of that name.
  static std::optional<PlatformFile> create(const std::string& path);

  PlatformFile(PlatformFile&& other) noexcept;
  PlatformFile& operator=(PlatformFile&& other) noexcept;
  ~PlatformFile();

  // False for what was moved from.
  bool is_open() const { return handle_ != kNone; }

  // Writes at least one byte, and returns how many; `size` is 1 or more.
  std::size_t write_some(const char* bytes, std::size_t size);

  std::uint64_t size() const;
  FileIdentity identity() const;
  // Reads up to `size` bytes from `offset` on; returns how many, 0 at the end of the file alone.
  std::size_t read_some(std::uint64_t offset, char* bytes, std::size_t size) const;
  // Leaves the first `size` bytes of the file.
  void shorten(std::uint64_t size);

  // Returns when all that was written is on stable storage, and not only in a cache of a drive.
  void flush();

  // Locks the file for this object alone, even against others of this process; false if `wait` is
  // false and another has locked it. The lock ends when no copy of the handle is open any more, and
  // a forked child has copies.
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

// Renames a file, in place of another one if there is one. Throws and changes nothing on failure.
void rename_file(const std::string& from, const std::string& to);

// Does nothing if that fails.
void delete_file(const std::string& path);

// Returns when the names in the folder that holds `path` are on stable storage.
void flush_folder_of(const std::string& path);

}  // namespace dp
