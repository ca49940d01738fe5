// The history of a ledger, as R has it.
#pragma once

#include <Rcpp.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/ledger/record.h"
#include "core/ledger/state.h"
#include "core/ledger/total.h"

namespace dp::r {

// Columns of a data frame, a row for each record that moves budget. What a record lacks is NA;
// `spent` is the sum up to it. Budget that came back is negative. `inner_text` and `delta_text` are
// exact decimals, with a minus if they are negative.
class LedgerHistory {
 public:
  explicit LedgerHistory(LedgerTerms terms) : terms_(std::move(terms)) {}

  void add(const LedgerRecord& record);
  Rcpp::List to_r() const;

 private:
  bool came_back(const LedgerRecord& record) const;
  std::string what_of(const LedgerRecord& record) const;
  void add_loss(const LedgerRecord& record);

  LedgerTerms terms_;
  TotalLoss last_;
  std::vector<double> seq_, inner_, delta_, spent_;
  std::vector<std::optional<std::string>> time_, kind_, what_, who_, version_, plan_, promise_,
      table_;
  std::vector<std::optional<std::string>> inner_text_, delta_text_;
};

}  // namespace dp::r
