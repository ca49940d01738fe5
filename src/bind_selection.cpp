#include <string>

#include "boundary.h"
#include "core/measurements/noisy_max.h"
#include "core/measurements/private_quantile.h"
#include "r_scalars.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

// [[Rcpp::export(rng = false)]]
SEXP core_make_noisy_max(
    SEXP input_domain, SEXP input_metric, SEXP output_measure, SEXP scale, SEXP negate) {
  return guarded([&] {
    return to_handle(make_noisy_max(from_handle<Domain>(input_domain),
                                    from_handle<Metric>(input_metric),
                                    from_handle<Measure>(output_measure),
                                    double_from_r(scale, "scale"),
                                    flag_from_r(negate, "negate")));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_noisy_top_k(
    SEXP input_domain, SEXP input_metric, SEXP output_measure, SEXP k, SEXP scale, SEXP negate) {
  return guarded([&] {
    return to_handle(make_noisy_top_k(from_handle<Domain>(input_domain),
                                      from_handle<Metric>(input_metric),
                                      from_handle<Measure>(output_measure),
                                      size_from_r(k, "k"),
                                      double_from_r(scale, "scale"),
                                      flag_from_r(negate, "negate")));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_report_noisy_max_gumbel(SEXP input_domain,
                                       SEXP input_metric,
                                       SEXP scale,
                                       SEXP optimize) {
  return guarded([&] {
    return to_handle(make_report_noisy_max_gumbel(from_handle<Domain>(input_domain),
                                                  from_handle<Metric>(input_metric),
                                                  double_from_r(scale, "scale"),
                                                  string_from_r(optimize, "optimize")));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_private_quantile(SEXP input_domain,
                                SEXP input_metric,
                                SEXP output_measure,
                                SEXP candidates,
                                SEXP alpha,
                                SEXP scale) {
  return guarded([&] {
    const auto& domain = from_handle<Domain>(input_domain);
    return to_handle(make_private_quantile(
        domain,
        from_handle<Metric>(input_metric),
        from_handle<Measure>(output_measure),
        scalars_from_r(candidates, row_domain(domain).atom.type, "candidates"),
        double_from_r(alpha, "alpha"),
        double_from_r(scale, "scale")));
  });
}
