// Squared deviations from a mean, and what is made of them.
#include <string>

#include "boundary.h"
#include "core/transformations/sized_bounded_covariance.h"
#include "core/transformations/sum_of_squared_deviations.h"
#include "core/transformations/variance.h"
#include "r_scalars.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

// [[Rcpp::export(rng = false)]]
SEXP core_make_sum_of_squared_deviations(SEXP input_domain,
                                         SEXP input_metric,
                                         std::string summation) {
  return guarded([&] {
    return to_handle(make_sum_of_squared_deviations(from_handle<Domain>(input_domain),
                                                    from_handle<Metric>(input_metric),
                                                    parse_summation(summation)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_variance(SEXP input_domain, SEXP input_metric, SEXP ddof, std::string summation) {
  return guarded([&] {
    return to_handle(make_variance(from_handle<Domain>(input_domain),
                                   from_handle<Metric>(input_metric),
                                   size_from_r(ddof, "ddof"),
                                   parse_summation(summation)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_sized_bounded_covariance(
    SEXP size, SEXP bounds_0, SEXP bounds_1, SEXP ddof, std::string summation) {
  return guarded([&] {
    const Summation order = parse_summation(summation);
    return to_handle(make_sized_bounded_covariance(size_from_r(size, "size"),
                                                   bounds_from_r(bounds_0, order.type),
                                                   bounds_from_r(bounds_1, order.type),
                                                   size_from_r(ddof, "ddof"),
                                                   order));
  });
}
