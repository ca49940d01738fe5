#include "core/ledger/transaction.h"

#include <chrono>
#include <thread>
#include <utility>

#include "core/error.h"
#include "core/ledger/ledger_lines.h"
#include "core/platform_folder.h"
#include "core/runtime/parallel.h"

namespace dp {
namespace {

constexpr std::chrono::milliseconds kLockPause{1};

FileLock locked_ledger(const std::string& folder, int patience) {
  check_ledger_folder(folder);
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::milliseconds(patience);
  for (;;) {
    auto lock = FileLock::try_lock(folder + "/lock");
    if (lock) return std::move(*lock);
    check_interrupt();
    if (std::chrono::steady_clock::now() >= give_up) {
      throw Error(ErrorKind::ledger,
                  "`" + folder +
                      "` has been locked by another process for too long; nothing was "
                      "spent.");
    }
    std::this_thread::sleep_for(kLockPause);
  }
}

void check_not_poisoned(bool is_poisoned) {
  if (is_poisoned) {
    throw Error(ErrorKind::ledger,
                "the disk refused a record of this ledger before: open it again with dp_ledger().");
  }
}

std::int64_t system_seconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

}  // namespace

Ledger::Transaction::Transaction(Ledger& ledger)
    : ledger_(ledger),
      lock_(locked_ledger(ledger.folder_, ledger.patience_)),
      file_(PlatformFile::open_to_update(ledger.path())) {
  check_not_poisoned(ledger_.is_poisoned_);
  check_is_same_file();
  catch_up();
}

// A file that replaced the one that was read is read from its start, and must go on where the old
// one was. In the same file, the last line must stand where it stood.
void Ledger::Transaction::check_is_same_file() {
  const FileIdentity identity = file_.identity();
  if (!ledger_.identity_) {
    ledger_.identity_ = identity;
  } else if (*ledger_.identity_ != identity) {
    Ledger fresh(ledger_.folder_, ledger_.key_);
    fresh.identity_ = identity;
    const LedgerHead seen = ledger_.state_.head();
    each_line([&](std::string_view line) { fresh.state_.apply(line); });
    if (!fresh.state_.has(seen)) refuse_damage("it was replaced by an older copy, or another one");
    ledger_.identity_ = identity;
    ledger_.state_ = LedgerState(ledger_.key_);
    ledger_.offset_ = 0;
    ledger_.last_line_.clear();
  } else if (!ledger_.last_line_.empty()) {
    const std::uint64_t start = ledger_.offset_ - ledger_.last_line_.size() - 1;
    std::string found;
    for_each_line(file_, start, ledger_.offset_, [&](std::string_view line) { found = line; });
    if (found != ledger_.last_line_) refuse_damage("what was read before has changed, or is gone");
  }
}

void Ledger::Transaction::refuse_damage(const std::string& reason) const {
  throw Error(ErrorKind::ledger,
              "`" + ledger_.path() + "` cannot be trusted: " + reason + ". Nothing was spent.");
}

void Ledger::Transaction::take_line(std::string_view line) {
  try {
    ledger_.state_.apply(line);
  } catch (const Error& error) {
    const bool is_damage = error.kind() == ErrorKind::ledger || error.kind() == ErrorKind::budget ||
                           error.kind() == ErrorKind::type_parse || error.kind() == ErrorKind::type;
    if (!is_damage) throw;
    throw Error(ErrorKind::ledger,
                "`" + ledger_.path() + "` is not valid at line " +
                    std::to_string(ledger_.state_.size() + 1) + ": " + error.what());
  }
  ledger_.offset_ += line.size() + 1;
  ledger_.last_line_ = line;
}

void Ledger::Transaction::catch_up() {
  const std::string tail = for_each_line(
      file_, ledger_.offset_, file_.size(), [&](std::string_view line) { take_line(line); });
  if (!ledger_.state_.is_open()) refuse_damage("it has no record");
  if (!tail.empty()) cut_off(tail);
}

void Ledger::Transaction::cut_off(const std::string& tail) {
  ledger_.is_poisoned_ = true;
  file_.shorten(ledger_.offset_);
  write(next("repair").set("bytes", tail.size()).set("sha256", hexadecimal(sha256(tail))));
  ledger_.is_poisoned_ = false;
}

LedgerRecord Ledger::Transaction::next(const char* kind) const {
  return ledger_.state_.next(kind, ledger_.clock_ ? ledger_.clock_() : system_seconds());
}

void Ledger::Transaction::write(const LedgerRecord& record) {
  const std::string line = ledger_.state_.line_of(record);
  write_durably(file_, line + "\n");
  if (!file_.is_in_place()) refuse_damage("it was replaced while it was written to");
  ledger_.state_.accept(record, line);
  ledger_.offset_ += line.size() + 1;
  ledger_.last_line_ = line;
}

// Poisoned from before the first byte is written until all is done, whatever is thrown between.
LedgerHead Ledger::Transaction::append(const LedgerRecord& record) {
  ledger_.state_.line_of(record);  // refused here, nothing has happened
  ledger_.is_poisoned_ = true;
  write(record);
  ledger_.is_poisoned_ = false;
  return ledger_.state_.head();
}

void Ledger::Transaction::each_line(const std::function<void(std::string_view line)>& see) const {
  for_each_line(file_, 0, file_.size(), see);
}

}  // namespace dp
