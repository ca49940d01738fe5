// Converts 64-bit integers to text and doubles, for R code that must not need bit64.
#include "boundary.h"
#include "r_integer64.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

// [[Rcpp::export(rng = false)]]
SEXP core_integer64_from_text(SEXP text) {
  return guarded([&] { return integer64_from_text(text); });
}

// [[Rcpp::export(rng = false)]]
SEXP core_text_of_integer64(SEXP x) {
  return guarded([&] { return text_of_integer64(x); });
}

// [[Rcpp::export(rng = false)]]
SEXP core_doubles_of_integer64(SEXP x) {
  return guarded([&] { return doubles_of_integer64(x); });
}
