// Moves a ledger to another place, or restores it from an older copy.
#include <utility>

#include "core/error.h"
#include "core/ledger/ledger.h"
#include "core/ledger/transaction.h"

namespace dp {

// The old place is closed before the new one exists. So a crash between the two leaves no place
// that can spend, never two.
Ledger Ledger::move(const Store& store, const std::string& place) {
  const auto close = [&](Transaction& transaction) {
    transaction.append(transaction.next("move").set("to", place));
  };
  const auto is_closed = [&] {
    return state_.moved_to() != nullptr && *state_.moved_to() == place && !state_.has_left();
  };
  {
    Transaction transaction(*this);
    if (state_.moved_to() != nullptr && !is_closed()) close(transaction);  // throws
  }
  store->check_vacant();
  {
    Transaction transaction(*this);
    if (!is_closed()) close(transaction);
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

LedgerHead Ledger::leave() {
  Transaction transaction(*this);
  const std::string* to = state_.moved_to();
  if (to == nullptr) throw Error(ErrorKind::ledger, "the ledger was not moved.");
  return transaction.append(transaction.next("leave").set("at", *to));
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
