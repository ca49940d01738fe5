#include <cstdint>
#include <optional>

#include "boundary.h"
#include "core/measurements/alp_queryable.h"
#include "core/measurements/noise_threshold.h"
#include "r_scalars.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

namespace {

// A threshold in the type of the values; a domain without values is the constructor's to refuse.
Scalar threshold_from_r(SEXP threshold, const Domain& domain) {
  const auto* map = domain.as<MapDomain>();
  const auto* value = map == nullptr ? nullptr : map->value->as<AtomDomain>();
  const AtomType type = value == nullptr ? AtomType::f64 : value->type;
  if (!is_number(type)) return double_from_r(threshold, "threshold");
  return number_from_r(threshold, type, "threshold");
}

}  // namespace

// [[Rcpp::export(rng = false)]]
SEXP core_make_laplace_threshold(
    SEXP input_domain, SEXP input_metric, SEXP scale, SEXP threshold, SEXP k) {
  return guarded([&] {
    const auto& domain = from_handle<Domain>(input_domain);
    return to_handle(make_laplace_threshold(domain,
                                            from_handle<Metric>(input_metric),
                                            double_from_r(scale, "scale"),
                                            threshold_from_r(threshold, domain),
                                            grid_exponent_from_r(k)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_gaussian_threshold(
    SEXP input_domain, SEXP input_metric, SEXP scale, SEXP threshold, SEXP k) {
  return guarded([&] {
    const auto& domain = from_handle<Domain>(input_domain);
    return to_handle(make_gaussian_threshold(domain,
                                             from_handle<Metric>(input_metric),
                                             double_from_r(scale, "scale"),
                                             threshold_from_r(threshold, domain),
                                             grid_exponent_from_r(k)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_noise_threshold(
    SEXP input_domain, SEXP input_metric, SEXP output_measure, SEXP scale, SEXP threshold, SEXP k) {
  return guarded([&] {
    const auto& domain = from_handle<Domain>(input_domain);
    return to_handle(make_noise_threshold(domain,
                                          from_handle<Metric>(input_metric),
                                          from_handle<Measure>(output_measure),
                                          double_from_r(scale, "scale"),
                                          threshold_from_r(threshold, domain),
                                          grid_exponent_from_r(k)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_alp_queryable(SEXP input_domain,
                             SEXP input_metric,
                             SEXP scale,
                             SEXP total_limit,
                             SEXP value_limit,
                             SEXP size_factor,
                             SEXP alpha) {
  return guarded([&] {
    std::optional<std::uint64_t> limit;
    if (!Rf_isNull(value_limit)) limit = size_from_r(value_limit, "value_limit");
    const auto factor_from_r = [](SEXP number, const char* what) {
      return std::get<std::uint32_t>(number_from_r(number, AtomType::u32, what));
    };
    return to_handle(make_alp_queryable(from_handle<Domain>(input_domain),
                                        from_handle<Metric>(input_metric),
                                        double_from_r(scale, "scale"),
                                        size_from_r(total_limit, "total_limit"),
                                        limit,
                                        factor_from_r(size_factor, "size_factor"),
                                        factor_from_r(alpha, "alpha")));
  });
}
