#include "boundary.h"
#include "core/domains/domain.h"
#include "r_rows.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

// The texts of a character vector or a factor, as the core reads them: NA for invalid text.
// [[Rcpp::export(rng = false)]]
SEXP core_texts(SEXP x) {
  return guarded([&] { return rows_to_r(*rows_from_r(x, AtomType::string, true)); });
}
