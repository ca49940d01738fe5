#include "core/ledger/ledger_run.h"

#include <mutex>
#include <set>
#include <utility>

namespace dp {
namespace {

// Names of the runs of this process.
class RunsHere {
 public:
  void add(const std::string& name) {
    const std::lock_guard<std::mutex> guard(mutex_);
    names_.insert(name);
  }
  void remove(const std::string& name) {
    const std::lock_guard<std::mutex> guard(mutex_);
    names_.erase(name);
  }
  bool has(const std::string& name) {
    const std::lock_guard<std::mutex> guard(mutex_);
    return names_.count(name) != 0;
  }

 private:
  std::mutex mutex_;
  std::set<std::string> names_;
};

RunsHere& runs_here() {
  static RunsHere runs;
  return runs;
}

std::string run_name(const std::string& ledger, std::uint64_t charge) {
  return ledger + ":" + std::to_string(charge);
}

}  // namespace

std::shared_ptr<LedgerRun> LedgerRun::take(LedgerStore& store,
                                           const std::string& ledger,
                                           std::uint64_t charge,
                                           std::uint64_t number) {
  auto lease = store.lease(charge, 0);
  if (lease == nullptr) return nullptr;
  return std::make_shared<LedgerRun>(run_name(ledger, charge), charge, number, std::move(lease));
}

bool LedgerRun::is_here(const std::string& ledger, std::uint64_t charge) {
  return runs_here().has(run_name(ledger, charge));
}

LedgerRun::LedgerRun(std::string name,
                     std::uint64_t charge,
                     std::uint64_t number,
                     std::unique_ptr<LedgerStore::Lease> lease)
    : name_(std::move(name)), charge_(charge), number_(number), lease_(std::move(lease)) {
  runs_here().add(name_);
}

LedgerRun::~LedgerRun() { runs_here().remove(name_); }

}  // namespace dp
