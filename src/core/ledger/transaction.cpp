#include "core/ledger/transaction.h"

#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/error.h"

namespace dp {
namespace {

void check_not_poisoned(bool is_poisoned) {
  if (is_poisoned) {
    throw Error(ErrorKind::ledger,
                "a record of this ledger could not be written before: open it again with "
                "dp_ledger().");
  }
}

std::int64_t system_seconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

}  // namespace

// A repair is a separate transaction, and other processes may write after it.
Ledger::Transaction::Transaction(Ledger& ledger) : ledger_(ledger) {
  for (std::string tail = "?"; !tail.empty();) {
    access_ = ledger_.store_->access(ledger_.patience_);
    check_not_poisoned(ledger_.is_poisoned_);
    check_is_same_store();
    tail = catch_up();
    // For a reader, an unfinished line may be one that another process is writing.
    if (ledger_.key_ && ledger_.key_->only_reads()) return;
    if (!tail.empty()) repair(tail);
  }
}

// If the file was replaced, it is read from its start, and must continue the old file. In the same
// store, the last line must still be at its position.
void Ledger::Transaction::check_is_same_store() {
  if (access_->is_replaced()) {
    LedgerState fresh(ledger_.key_);
    std::vector<std::uint64_t> ends;
    access_->each_line({}, [&](std::string_view line) {
      fresh.apply(line);
      ends.push_back((ends.empty() ? 0 : ends.back()) + line.size() + 1);
    });
    if (!fresh.has(ledger_.state_.head())) {
      refuse_damage("it was replaced by an older copy, or another one");
    }
    ledger_.state_ = std::move(fresh);
    ledger_.ends_ = std::move(ends);
  } else if (ledger_.state_.is_open()) {
    line(ledger_.state_.size() - 1);
  }
  access_->settle();
}

void Ledger::Transaction::refuse_damage(const std::string& reason) const {
  throw Error(ErrorKind::ledger,
              ledger_.store_->name() + " cannot be trusted: " + reason + ". Nothing was spent.");
}

std::string Ledger::Transaction::line(std::uint64_t seq) const {
  std::string line = access_->line(ledger_.start_of(seq), ledger_.start_of(seq + 1));
  if (!ledger_.state_.is_record(seq, line)) {
    refuse_damage("what was read before has changed, or is gone");
  }
  return line;
}

void Ledger::Transaction::take_line(std::string_view line) {
  ledger_.ends_.push_back(ledger_.end().bytes + line.size() + 1);
  try {
    apply(line);
  } catch (...) {
    ledger_.ends_.pop_back();
    throw;
  }
}

void Ledger::Transaction::apply(std::string_view line) {
  try {
    ledger_.state_.apply(line);
  } catch (const Error& error) {
    const bool is_damage = error.kind() == ErrorKind::ledger || error.kind() == ErrorKind::budget ||
                           error.kind() == ErrorKind::type_parse || error.kind() == ErrorKind::type;
    if (!is_damage) throw;
    throw Error(ErrorKind::ledger,
                ledger_.store_->name() + " is not valid at line " +
                    std::to_string(ledger_.state_.size() + 1) + ": " + error.what());
  }
}

// Returns the rest behind the last line.
std::string Ledger::Transaction::catch_up() {
  std::string tail =
      access_->each_line(ledger_.end(), [&](std::string_view line) { take_line(line); });
  if (!ledger_.state_.is_open()) refuse_damage("it has no record");
  // Both first records are written at once.
  if (ledger_.state_.versions().empty()) refuse_damage("it has no version");
  try {
    ledger_.state_.check_signature();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::ledger) throw;
    refuse_damage(error.what());
  }
  return tail;
}

void Ledger::Transaction::repair(const std::string& tail) {
  LedgerRecord record = next("repair");
  record.set("bytes", tail.size()).set("sha256", hexadecimal(sha256(tail)));
  const std::string line = ledger_.state_.line_of(record);
  ledger_.is_poisoned_ = true;
  access_->cut_off(ledger_.end());
  write(record, line);
  ledger_.is_poisoned_ = false;
  access_.reset();
}

LedgerRecord Ledger::Transaction::next(const char* kind) const {
  return ledger_.state_.next(kind, ledger_.clock_ ? ledger_.clock_() : system_seconds());
}

void Ledger::Transaction::write(const LedgerRecord& record, const std::string& line) {
  access_->append(ledger_.end(), line);
  ledger_.state_.accept(record, line);
  ledger_.ends_.push_back(ledger_.end().bytes + line.size() + 1);
}

// The ledger is unusable from before the first byte is written until all is done, even if an error
// is thrown in between.
LedgerHead Ledger::Transaction::append(const LedgerRecord& record) {
  const std::string line = ledger_.state_.line_of(record);  // refused here, nothing has happened
  ledger_.is_poisoned_ = true;
  write(record, line);
  ledger_.is_poisoned_ = false;
  return ledger_.state_.head();
}

void Ledger::Transaction::each_line(const std::function<void(std::string_view line)>& see) const {
  access_->each_line({}, see);
}

}  // namespace dp
