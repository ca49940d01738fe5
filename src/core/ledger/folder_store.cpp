#include "core/ledger/folder_store.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>
#include <utility>

#include "core/durable_file.h"
#include "core/error.h"
#include "core/ledger/ledger_lines.h"
#include "core/plan/sha256.h"
#include "core/platform.h"
#include "core/platform_folder.h"
#include "core/runtime/parallel.h"

namespace dp {
namespace {

constexpr std::chrono::milliseconds kLockPause{1};
constexpr std::chrono::milliseconds kLeasePause{5};

// "survey.ledger/" is the folder, not the target of a link of this name.
std::string without_slash(std::string folder) {
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  return folder;
}

std::string ledger_path(const std::string& folder) { return folder + "/ledger.jsonl"; }

// Errors of the file are reported under the lock. While the file is created, it counts as missing.
std::uint64_t ledger_size(const std::string& folder) {
  try {
    return PlatformFile::open_to_update(ledger_path(folder)).size();
  } catch (const Error&) {
    return 0;
  }
}

// Waits for the lock. A growing ledger is in use, however long the queue, so `patience` starts
// anew.
FileLock locked_ledger(const std::string& folder, int patience) {
  check_ledger_folder(folder);
  std::optional<std::uint64_t> seen;
  std::chrono::steady_clock::time_point give_up;
  for (;;) {
    auto lock = FileLock::try_lock(folder + "/lock");
    if (lock) return std::move(*lock);
    const auto now = std::chrono::steady_clock::now();
    const std::uint64_t size = ledger_size(folder);
    if (seen != size) {
      seen = size;
      give_up = now + std::chrono::milliseconds(patience);
    } else if (now >= give_up) {
      throw Error(
          ErrorKind::ledger,
          "`" + folder + "` has been locked by another process for too long; nothing was spent.");
    }
    check_interrupt();
    std::this_thread::sleep_for(kLockPause);
  }
}

// Ends nothing in a forked process.
class FileLease : public LedgerStore::Lease {
 public:
  FileLease(std::string path, FileLock lock)
      : path_(std::move(path)), lock_(std::move(lock)), process_(process_id()) {}
  ~FileLease() override {
    if (process_ == process_id()) delete_file(path_);
  }
  FileLease(const FileLease&) = delete;
  FileLease& operator=(const FileLease&) = delete;

 private:
  std::string path_;
  FileLock lock_;
  long process_;
};

// The content of the file; empty if there is no file.
std::optional<std::string> file_content(const std::string& path) {
  std::optional<PlatformFile> file;
  try {
    file = PlatformFile::open_to_update(path);
  } catch (const Error&) {
    return std::nullopt;
  }
  std::string content(static_cast<std::size_t>(file->size()), '\0');
  for (std::size_t at = 0; at < content.size();) {
    const std::size_t count = file->read_some(at, &content[at], content.size() - at);
    if (count == 0) return std::nullopt;  // the file is shorter by now
    at += count;
  }
  return content;
}

FileLock lock_new_folder(const std::string& folder) {
  make_folder(folder);
  check_ledger_folder(folder);
  make_folder(folder + "/releases");
  return FileLock(folder + "/lock");
}

// A file that is still being created is empty, and not a ledger.
void check_has_no_ledger(const std::string& path) {
  if (PlatformFile::create(path) || PlatformFile::open_to_update(path).size() == 0) return;
  throw Error(ErrorKind::ledger, "`" + path + "` exists: open it with dp_ledger().");
}

class FolderStore : public LedgerStore {
 public:
  explicit FolderStore(const std::string& folder) : folder_(without_slash(folder)) {}

  std::string name() const override { return "`" + path() + "`"; }

  std::unique_ptr<Access> access(int patience) override {
    return std::make_unique<FileAccess>(*this, patience);
  }

  std::unique_ptr<Lease> lease(std::uint64_t charge, int patience) override {
    make_folder(folder_ + "/runs");
    const std::string path = folder_ + "/runs/" + std::to_string(charge);
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::milliseconds(patience);
    for (;;) {
      auto lock = FileLock::try_lock(path);
      if (lock) return std::make_unique<FileLease>(path, std::move(*lock));
      if (std::chrono::steady_clock::now() >= give_up) return nullptr;
      check_interrupt();
      std::this_thread::sleep_for(kLeasePause);
    }
  }

  void check_vacant() override {
    const FileLock lock = lock_new_folder(folder_);
    check_has_no_ledger(path());
  }

  void create(const std::string& lines) override {
    const FileLock lock = lock_new_folder(folder_);
    check_has_no_ledger(path());
    replace_durably(path(), lines);
    flush_folder_of(folder_);  // the folder's own name
  }

 private:
  class FileAccess : public Access {
   public:
    FileAccess(FolderStore& store, int patience)
        : store_(store),
          lock_(locked_ledger(store.folder_, patience)),
          file_(PlatformFile::open_to_update(store.path())) {}

    bool is_replaced() override {
      return store_.identity_ && *store_.identity_ != file_.identity();
    }

    void settle() override { store_.identity_ = file_.identity(); }

    std::string line(const LedgerPosition& start, const LedgerPosition& end) override {
      std::string found;
      for_each_line(file_, start.bytes, end.bytes, [&](std::string_view one) { found += one; });
      return found;
    }

    std::string each_line(const LedgerPosition& from,
                          const std::function<void(std::string_view line)>& see) override {
      return for_each_line(file_, from.bytes, file_.size(), see);
    }

    std::optional<std::string> stored_hash(const std::string& name) override {
      const auto content = file_content(store_.folder_ + "/" + name);
      if (!content) return std::nullopt;
      return hexadecimal(sha256(*content));
    }

    void cut_off(const LedgerPosition& end) override { file_.shorten(end.bytes); }

    void append(const LedgerPosition&, const std::string& line) override {
      write_durably(file_, line + "\n");
      if (!file_.is_in_place()) {
        throw Error(ErrorKind::ledger,
                    store_.name() + " cannot be trusted: it was replaced while it was written to.");
      }
    }

   private:
    FolderStore& store_;
    FileLock lock_;  // released after the file is closed
    PlatformFile file_;
  };

  std::string path() const { return ledger_path(folder_); }

  std::string folder_;
  std::optional<FileIdentity> identity_;
};

[[noreturn]] void refuse_writing() {
  throw Error(ErrorKind::ledger, "this ledger was opened to be read: open it with `key`.");
}

class FolderReader : public LedgerStore {
 public:
  explicit FolderReader(const std::string& folder) : path_(ledger_path(without_slash(folder))) {}

  std::string name() const override { return "`" + path_ + "`"; }
  std::unique_ptr<Access> access(int) override { return std::make_unique<ReadAccess>(*this); }
  std::unique_ptr<Lease> lease(std::uint64_t, int) override { refuse_writing(); }
  void check_vacant() override { refuse_writing(); }
  void create(const std::string&) override { refuse_writing(); }

 private:
  class ReadAccess : public Access {
   public:
    explicit ReadAccess(FolderReader& reader)
        : reader_(reader), file_(PlatformFile::open_to_read(reader.path_)) {}

    bool is_replaced() override {
      return reader_.identity_ && *reader_.identity_ != file_.identity();
    }
    void settle() override { reader_.identity_ = file_.identity(); }

    std::string line(const LedgerPosition& start, const LedgerPosition& end) override {
      std::string found;
      for_each_line(file_, start.bytes, end.bytes, [&](std::string_view one) { found += one; });
      return found;
    }
    std::string each_line(const LedgerPosition& from,
                          const std::function<void(std::string_view line)>& see) override {
      return for_each_line(file_, from.bytes, file_.size(), see);
    }

    std::optional<std::string> stored_hash(const std::string&) override { refuse_writing(); }
    void cut_off(const LedgerPosition&) override { refuse_writing(); }
    void append(const LedgerPosition&, const std::string&) override { refuse_writing(); }

   private:
    FolderReader& reader_;
    PlatformFile file_;
  };

  std::string path_;
  std::optional<FileIdentity> identity_;
};

}  // namespace

std::shared_ptr<LedgerStore> folder_store(const std::string& folder) {
  return std::make_shared<FolderStore>(folder);
}

std::shared_ptr<LedgerStore> folder_to_read(const std::string& folder) {
  return std::make_shared<FolderReader>(folder);
}

}  // namespace dp
