// A ledger that moves to another place, or comes back from an older copy.
#include <utility>

#include "core/error.h"
#include "core/ledger/ledger.h"
#include "core/ledger/transaction.h"

namespace dp {

// The old place is closed before the new one is there: a crash between the two leaves no place that
// can spend, never two.
Ledger Ledger::move(const Store& store, const std::string& place) {
  store->check_vacant();
  {
    Transaction transaction(*this);
    const std::string* to = state_.moved_to();
    if (to == nullptr || *to != place)
      transaction.append(transaction.next("move").set("to", place));
  }
  const Transaction transaction(*this);
  LedgerState state(key_);
  std::string lines;
  transaction.each_line([&](std::string_view line) {
    state.apply(line);
    lines.append(line) += "\n";
  });
  const LedgerRecord arrival = transaction.next("arrive").set("at", place);
  const std::string line = state.line_of(arrival);
  state.accept(arrival, line);
  store->create(lines + line + "\n");
  return open(store, key_, state.head());
}

LedgerHead Ledger::restore(const std::optional<LedgerHead>& head, const TotalLoss& lost) {
  Transaction transaction(*this);
  check_budget(lost);
  const LedgerMeasure& measure = state_.terms().measure;
  LedgerRecord record = transaction.next("restore");
  record.set("head", head ? head->text() : "").set("loss", measure.json(lost));
  record.set("spent", measure.json(state_.spent() + lost));
  return transaction.append(record);
}

}  // namespace dp
