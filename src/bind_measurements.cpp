#include <optional>

#include "boundary.h"
#include "core/measurements/canonical_noise.h"
#include "core/measurements/gaussian.h"
#include "core/measurements/geometric.h"
#include "core/measurements/laplace.h"
#include "core/measurements/noise.h"
#include "core/measurements/user_measurement.h"
#include "r_scalars.h"
#include "r_values.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

// [[Rcpp::export(rng = false)]]
SEXP core_make_laplace(SEXP input_domain, SEXP input_metric, SEXP scale, SEXP k) {
  return guarded([&] {
    return to_handle(make_laplace(from_handle<Domain>(input_domain),
                                  from_handle<Metric>(input_metric),
                                  double_from_r(scale, "scale"),
                                  grid_exponent_from_r(k)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_gaussian(SEXP input_domain, SEXP input_metric, SEXP scale, SEXP k) {
  return guarded([&] {
    return to_handle(make_gaussian(from_handle<Domain>(input_domain),
                                   from_handle<Metric>(input_metric),
                                   double_from_r(scale, "scale"),
                                   grid_exponent_from_r(k)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_noise(
    SEXP input_domain, SEXP input_metric, SEXP output_measure, SEXP scale, SEXP k) {
  return guarded([&] {
    return to_handle(make_noise(from_handle<Domain>(input_domain),
                                from_handle<Metric>(input_metric),
                                from_handle<Measure>(output_measure),
                                double_from_r(scale, "scale"),
                                grid_exponent_from_r(k)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_geometric(SEXP input_domain, SEXP input_metric, SEXP scale, SEXP bounds) {
  return guarded([&] {
    const auto& domain = from_handle<Domain>(input_domain);
    std::optional<Bounds> ends;
    if (!Rf_isNull(bounds)) {
      const auto* atom = domain.as<AtomDomain>();
      ends = bounds_from_r(bounds, atom != nullptr ? atom->type : row_domain(domain).atom.type);
    }
    return to_handle(make_geometric(
        domain, from_handle<Metric>(input_metric), double_from_r(scale, "scale"), ends));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_canonical_noise(SEXP input_domain, SEXP input_metric, SEXP d_in, SEXP d_out) {
  return guarded([&] {
    const Distance loss = distance_from_r(d_out, approximate(max_divergence()));
    const auto& parts = *loss.as<Distance::Tuple>();
    return to_handle(make_canonical_noise(from_handle<Domain>(input_domain),
                                          from_handle<Metric>(input_metric),
                                          double_from_r(d_in, "d_in"),
                                          number_in<double>(parts[0]),
                                          number_in<double>(parts[1])));
  });
}

// What the closures return is converted here: a release to `to`, a loss to the measure's type.
// [[Rcpp::export(rng = false)]]
SEXP core_make_user_measurement(SEXP input_domain,
                                SEXP input_metric,
                                SEXP output_measure,
                                SEXP function_,
                                SEXP privacy_map,
                                std::string to) {
  return guarded([&] {
    const auto in = shared_from_handle<Domain>(input_domain);
    const auto measure = shared_from_handle<Measure>(output_measure);
    const Opaque function = keep_alive(function_);
    const Opaque map = keep_alive(privacy_map);
    return to_handle(make_user_measurement(
        from_handle<Domain>(input_domain),
        from_handle<Metric>(input_metric),
        *measure,
        [=](const Value& arg) {
          const Rcpp::Shield<SEXP> argument(value_to_r(arg, *in, R_NilValue));
          const Rcpp::RObject result = call_user(kept(function), argument, false);
          return user_result(false, [&] { return value_of_type(result, to); });
        },
        [=](const Distance& d_in) {
          const Rcpp::Shield<SEXP> argument(distance_to_r(d_in));
          const Rcpp::RObject result = call_user(kept(map), argument, true);
          return user_result(true, [&] { return distance_from_r(result, *measure); });
        }));
  });
}
