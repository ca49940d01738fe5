// One transaction on a ledger: the lock, what is new in the file, and records behind it.
#pragma once

#include "core/durable_file.h"
#include "core/ledger/ledger.h"

namespace dp {

class Ledger::Transaction {
 public:
  // Waits for the lock, and brings the ledger's state to the end of the file.
  explicit Transaction(Ledger& ledger);

  LedgerRecord next(const char* kind) const;
  // On stable storage when this returns.
  LedgerHead append(const LedgerRecord& record);

  // Calls `see` with each line of the file, from the first on.
  void each_line(const std::function<void(std::string_view line)>& see) const;

 private:
  void check_is_same_file();
  void catch_up();
  void cut_off(const std::string& tail);
  void write(const LedgerRecord& record);
  void take_line(std::string_view line);
  [[noreturn]] void refuse_damage(const std::string& reason) const;

  Ledger& ledger_;
  FileLock lock_;  // released after the file is closed
  PlatformFile file_;
};

}  // namespace dp
