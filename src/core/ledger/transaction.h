// One transaction on a ledger: the right to write, the new records of its store, and one more
// record.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/ledger/ledger.h"

namespace dp {

class Ledger::Transaction {
 public:
  // Waits for the right to write, and brings the ledger's state to the end of the store.
  explicit Transaction(Ledger& ledger);

  LedgerRecord next(const char* kind) const;
  // Appends the record. It is on stable storage when this returns. The last call of a transaction.
  LedgerHead append(const LedgerRecord& record);

  // See LedgerStore::Access.
  std::optional<std::string> stored_hash(const std::string& name) const {
    return access_->stored_hash(name);
  }
  // The line of an existing record.
  std::string line(std::uint64_t seq) const;
  // Calls `see` with each line of the store, from the first on.
  void each_line(const std::function<void(std::string_view line)>& see) const;

 private:
  void check_is_same_store();
  std::string catch_up();
  void repair(const std::string& tail);
  void write(const LedgerRecord& record, const std::string& line);
  void take_line(std::string_view line);
  void apply(std::string_view line);
  [[noreturn]] void refuse_damage(const std::string& reason) const;

  Ledger& ledger_;
  std::unique_ptr<LedgerStore::Access> access_;
};

}  // namespace dp
