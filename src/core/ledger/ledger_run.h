// The right to run a charge, for as long as the object lives: a lease, and the number of the run.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/ledger/store.h"

namespace dp {

class LedgerRun {
 public:
  // `ledger` is the id. Null if another process has the lease of that charge.
  static std::shared_ptr<LedgerRun> take(LedgerStore& store,
                                         const std::string& ledger,
                                         std::uint64_t charge,
                                         std::uint64_t number);

  // Whether this process runs that charge. A forked child inherits its parent's runs. It does not
  // wait for them, because the parent can wait for the child.
  static bool is_here(const std::string& ledger, std::uint64_t charge);

  LedgerRun(std::string name,
            std::uint64_t charge,
            std::uint64_t number,
            std::unique_ptr<LedgerStore::Lease> lease);
  ~LedgerRun();
  LedgerRun(const LedgerRun&) = delete;
  LedgerRun& operator=(const LedgerRun&) = delete;

  std::uint64_t charge() const { return charge_; }
  std::uint64_t number() const { return number_; }

 private:
  std::string name_;
  std::uint64_t charge_;
  std::uint64_t number_;
  std::unique_ptr<LedgerStore::Lease> lease_;
};

}  // namespace dp
