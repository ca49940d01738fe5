#include <string>

#include "boundary.h"
#include "core/measurements/randomized_response.h"
#include "core/measurements/randomized_response_bitvec.h"
#include "r_scalars.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

// [[Rcpp::export(rng = false)]]
SEXP core_make_randomized_response_bool(SEXP prob, SEXP constant_time) {
  return guarded([&] {
    return to_handle(make_randomized_response_bool(double_from_r(prob, "prob"),
                                                   flag_from_r(constant_time, "constant_time")));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_randomized_response(SEXP categories, SEXP prob, std::string t) {
  return guarded([&] {
    const AtomType type = parse_atom_type(t);
    return to_handle(make_randomized_response(
        scalars_from_r(categories, type, "categories"), type, double_from_r(prob, "prob")));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_randomized_response_bitvec(SEXP input_domain,
                                          SEXP input_metric,
                                          SEXP f,
                                          SEXP constant_time) {
  return guarded([&] {
    return to_handle(make_randomized_response_bitvec(from_handle<Domain>(input_domain),
                                                     from_handle<Metric>(input_metric),
                                                     double_from_r(f, "f"),
                                                     flag_from_r(constant_time, "constant_time")));
  });
}
