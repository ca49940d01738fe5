// The log of how an object was built. Its handle keeps it, and it outlives what the handle holds.
#include "boundary.h"

// [[Rcpp::export(rng = false)]]
SEXP core_remember(SEXP handle, SEXP log) {
  if (TYPEOF(handle) == EXTPTRSXP) R_SetExternalPtrProtected(handle, log);
  return R_NilValue;
}

// [[Rcpp::export(rng = false)]]
SEXP core_recall(SEXP handle) {
  return TYPEOF(handle) == EXTPTRSXP ? R_ExternalPtrProtected(handle) : R_NilValue;
}

// [[Rcpp::export(rng = false)]]
bool core_is_null(SEXP handle) {
  return TYPEOF(handle) == EXTPTRSXP && R_ExternalPtrAddr(handle) == nullptr;
}
