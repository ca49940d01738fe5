// Keys, losses and heads of ledgers, and what R has for them.
#pragma once

#include <Rcpp.h>

#include <optional>

#include "boundary.h"
#include "core/ledger/ledger_run.h"
#include "core/ledger/state.h"
#include "core/ledger/total.h"

namespace dp::r {

template <>
inline const char* handle_tag<LedgerRun>() {
  return "dp_ledger_run";
}

// list(fingerprint, has_signed = function(text, signature), secret, sign = function(text)), or
// NULL. A public key has the first two.
std::optional<LedgerKey> key_from_r(SEXP key);

// c(epsilon = , delta = ), or with rho: rounded up for what was spent, down for what is left.
Rcpp::NumericVector spent_to_r(const LedgerMeasure& measure, const TotalLoss& loss);
Rcpp::NumericVector left_to_r(const LedgerMeasure& measure, const TotalLoss& loss);

// As exact decimals in text.
Rcpp::List loss_text(const LedgerMeasure& measure, const TotalLoss& loss);

// list(head, seq).
Rcpp::List head_to_r(const LedgerHead& head);

// What `measurement` loses at `d_in`, by its map; exactly, as it does not pass through R. Throws
// invalid_distance for a distance of 0, at which each measurement loses 0.
TotalLoss loss_of_measurement(const LedgerMeasure& measure, SEXP measurement, SEXP d_in);

// What a release costs. `loss` is one of
//   list(measurement, d_in)
//   list(map, asked)       each c(inner, delta): what the map of a query says, and the decimals
//   that
//                          it was built to stay within
//   list(losses, asked)    `losses` has one list(map, share) for each member of a batch
TotalLoss loss_from_r(const LedgerMeasure& measure, SEXP loss);

}  // namespace dp::r
