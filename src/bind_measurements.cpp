#include "boundary.h"
#include "core/measurements/gaussian.h"
#include "core/measurements/laplace.h"
#include "core/measurements/noise.h"
#include "r_scalars.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

namespace {

std::optional<int> grid_exponent(SEXP k) {
  if (Rf_isNull(k)) return std::nullopt;
  const auto exponent = std::get<std::int32_t>(number_from_r(k, AtomType::i32, "k"));
  if (exponent == std::numeric_limits<std::int32_t>::min()) {
    throw Error(ErrorKind::make_measurement, "k must not be i32::MIN");
  }
  return exponent;
}

}  // namespace

// [[Rcpp::export(rng = false)]]
SEXP core_make_laplace(SEXP input_domain, SEXP input_metric, SEXP scale, SEXP k) {
  return guarded([&] {
    return to_handle(make_laplace(from_handle<Domain>(input_domain),
                                  from_handle<Metric>(input_metric),
                                  double_from_r(scale, "scale"),
                                  grid_exponent(k)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_gaussian(SEXP input_domain, SEXP input_metric, SEXP scale, SEXP k) {
  return guarded([&] {
    return to_handle(make_gaussian(from_handle<Domain>(input_domain),
                                   from_handle<Metric>(input_metric),
                                   double_from_r(scale, "scale"),
                                   grid_exponent(k)));
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
                                grid_exponent(k)));
  });
}
