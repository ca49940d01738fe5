// The history of a ledger, as R has it.
#pragma once

#include <Rcpp.h>

#include <string>
#include <vector>

#include "core/ledger/record.h"
#include "core/ledger/total.h"

namespace dp::r {

// Columns of a data frame, a row for each record. What a record lacks is empty, a loss that it
// lacks is NA; `spent` is the sum up to it.
class LedgerHistory {
 public:
  explicit LedgerHistory(const LedgerMeasure& measure) : measure_(measure) {}

  void add(const LedgerRecord& record);
  Rcpp::List to_r() const;

 private:
  void add_loss(const LedgerRecord& record);

  LedgerMeasure measure_;
  TotalLoss last_;
  std::vector<double> seq_, inner_, delta_, spent_;
  std::vector<std::string> time_, kind_, version_, plan_, who_;
};

}  // namespace dp::r
