#include "core/durable_file.h"

#include <atomic>
#include <cstdint>
#include <utility>

#include "core/platform.h"

namespace dp {
namespace {

// The system can write fewer bytes than requested, and reports only their number.
void write_all(PlatformFile& file, std::string_view bytes) {
  while (!bytes.empty()) bytes.remove_prefix(file.write_some(bytes.data(), bytes.size()));
  file.flush();
}

// The lock, or null. A file that was deleted or replaced during the wait locks nothing, because the
// next process opens a different file.
std::optional<PlatformFile> locked_file(const std::string& path, bool wait) {
  for (;;) {
    PlatformFile file = PlatformFile::open_to_lock(path);
    if (!file.lock(wait)) return std::nullopt;
    if (file.is_in_place()) return file;
  }
}

// A new file beside `path`, in the same file system, under a unique name. It is deleted unless it
// replaces `path`.
class Successor {
 public:
  explicit Successor(const std::string& path) : path_(path) {
    static std::atomic<std::uint64_t> number{0};
    while (!file_) {
      name_ = path + "." + std::to_string(process_id()) + "-" + std::to_string(++number) + ".new";
      file_ = PlatformFile::create(name_);
    }
  }
  Successor(const Successor&) = delete;
  Successor& operator=(const Successor&) = delete;
  ~Successor() {
    file_.reset();
    if (!took_place_) delete_file(name_);
  }

  void take_place(std::string_view bytes) {
    write_all(*file_, bytes);
    file_.reset();  // Windows renames no open file
    rename_file(name_, path_);
    took_place_ = true;
  }

 private:
  std::string path_;
  std::string name_;
  std::optional<PlatformFile> file_;
  bool took_place_ = false;
};

}  // namespace

FileLock::FileLock(PlatformFile file) : file_(std::move(file)), process_(process_id()) {}

FileLock::FileLock(const std::string& path) : FileLock(*locked_file(path, true)) {}

std::optional<FileLock> FileLock::try_lock(const std::string& path) {
  auto file = locked_file(path, false);
  if (!file) return std::nullopt;
  return FileLock(std::move(*file));
}

FileLock::~FileLock() {
  if (file_.is_open() && process_ == process_id()) file_.unlock();
}

void write_durably(PlatformFile& file, std::string_view bytes) { write_all(file, bytes); }

void append_durably(const std::string& path, std::string_view bytes) {
  PlatformFile file = PlatformFile::open_to_append(path);
  write_all(file, bytes);
  // Flush even if another call created the file: that process may have died before its name was
  // safe.
  flush_folder_of(path);
}

void replace_durably(const std::string& path, std::string_view bytes) {
  Successor(path).take_place(bytes);
  flush_folder_of(path);
}

}  // namespace dp
