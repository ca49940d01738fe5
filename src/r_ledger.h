// Converts ledger keys, losses and heads between R and the core.
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

// Reads list(fingerprint, has_signed = function(text, signature), secret, sign = function(text)),
// or NULL. A public key has only the first two.
std::optional<LedgerKey> key_from_r(SEXP key);

// Returns c(epsilon = , delta = ), or with rho. A spent loss is rounded up, a remaining loss down.
Rcpp::NumericVector spent_to_r(const LedgerMeasure& measure, const TotalLoss& loss);
Rcpp::NumericVector left_to_r(const LedgerMeasure& measure, const TotalLoss& loss);

// Formats a loss as exact decimals in text.
Rcpp::List loss_text(const LedgerMeasure& measure, const TotalLoss& loss);

// Returns list(head, seq).
Rcpp::List head_to_r(const LedgerHead& head);

// The loss of `measurement` at `d_in`, by its privacy map. Exact, because it does not pass through
// R. Throws invalid_distance for a distance of 0, because each measurement loses 0 there.
TotalLoss loss_of_measurement(const LedgerMeasure& measure, SEXP measurement, SEXP d_in);

// What a release costs. `loss` is one of
//   list(measurement, d_in)
//   list(map, asked)       each c(inner, delta): what the map of a query says, and the decimals
//   that
//                          it was built to stay within
//   list(losses, asked)    `losses` has one list(map, share) for each member of a batch
TotalLoss loss_from_r(const LedgerMeasure& measure, SEXP loss);

}  // namespace dp::r
