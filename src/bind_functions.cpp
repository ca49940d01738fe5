// Binds postprocessors.
#include "boundary.h"
#include "core/engine/function.h"
#include "r_scalars.h"
#include "r_values.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

// `input_type` is the type descriptor of the postprocessor's argument, NULL if `arg` determines it.
// [[Rcpp::export(rng = false)]]
SEXP core_function_eval(SEXP postprocessor, SEXP arg, SEXP input_type) {
  return guarded([&] {
    const auto& it = from_handle<Function>(postprocessor);
    const Value release = Rf_isNull(input_type)
                              ? release_from_r(arg)
                              : value_of_type(arg, string_from_r(input_type, "input_type"));
    return value_to_r(it(release));
  });
}
