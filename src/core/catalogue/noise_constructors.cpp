// Noise on numbers and on the values of maps.
#include "core/catalogue/examples.h"
#include "core/catalogue/families.h"
#include "core/measurements/alp_queryable.h"
#include "core/measurements/canonical_noise.h"
#include "core/measurements/gaussian.h"
#include "core/measurements/geometric.h"
#include "core/measurements/laplace.h"
#include "core/measurements/noise.h"
#include "core/measurements/noise_threshold.h"
#include "core/measurements/user_measurement.h"

namespace dp {
namespace {

std::optional<int> grid_exponent(const Arguments& in) {
  const auto k = Read<std::optional<int>>::from(in, "k");
  if (k == std::numeric_limits<std::int32_t>::min()) {
    throw Error(ErrorKind::make_measurement, "k must not be i32::MIN");
  }
  return k;
}

using Noise =
    Measurement (*)(const Domain&, const Metric&, double, std::optional<int>, const Measure&);
using ThresholdNoise =
    Measurement (*)(const Domain&, const Metric&, double, const Scalar&, std::optional<int>);

// Each noise has one guarantee; `.MO` is there because the framework publishes it.
Constructor noise(const char* name, Noise make, const Measure& guarantee) {
  return constructor(name,
                     {"input_domain", "input_metric", "scale", "k", ".MO"},
                     [make, guarantee](const Arguments& in) {
                       check_guarantee(in, ".MO", guarantee);
                       return make(in.domain("input_domain"),
                                   in.metric("input_metric"),
                                   in.real("scale"),
                                   grid_exponent(in),
                                   guarantee);
                     })
      .falls_with("scale");
}

Scalar threshold(const Arguments& in) {
  return in.number("threshold", carrier_of(in, in_map_values("threshold")));
}

Constructor threshold_noise(const char* name, ThresholdNoise make, const Measure& guarantee) {
  return constructor(name,
                     {"input_domain", "input_metric", "scale", "threshold", "k", ".MO"},
                     [make, guarantee](const Arguments& in) {
                       check_guarantee(in, ".MO", guarantee);
                       return make(in.domain("input_domain"),
                                   in.metric("input_metric"),
                                   in.real("scale"),
                                   threshold(in),
                                   grid_exponent(in));
                     })
      .falls_with("scale")
      .falls_with("threshold", Values::wholes);
}

Made geometric(const Arguments& in) {
  check_guarantee(in, ".MO", max_divergence());
  return make_geometric(in.domain("input_domain"),
                        in.metric("input_metric"),
                        in.real("scale"),
                        Read<std::optional<Bounds>>::from(in, "bounds"));
}

Made noise_of_measure(const Arguments& in) {
  return make_noise(in.domain("input_domain"),
                    in.metric("input_metric"),
                    in.measure("output_measure"),
                    in.real("scale"),
                    grid_exponent(in));
}

Made threshold_of_measure(const Arguments& in) {
  return make_noise_threshold(in.domain("input_domain"),
                              in.metric("input_metric"),
                              in.measure("output_measure"),
                              in.real("scale"),
                              threshold(in),
                              grid_exponent(in));
}

Made canonical_noise(const Arguments& in) {
  const Distance loss = in.distance("d_out", approximate(max_divergence()));
  const auto& parts = *loss.as<Distance::Tuple>();
  return make_canonical_noise(in.domain("input_domain"),
                              in.metric("input_metric"),
                              in.real("d_in"),
                              number_in<double>(parts[0]),
                              number_in<double>(parts[1]));
}

Made user_measurement(const Arguments& in) {
  const Domain& input = in.domain("input_domain");
  const Measure& measure = in.measure("output_measure");
  return make_user_measurement(input,
                               in.metric("input_metric"),
                               measure,
                               in.callback("function_", input, in.descriptor(".TO")),
                               in.map("privacy_map", measure));
}

}  // namespace

std::vector<Constructor> noise_constructors() {
  const Measure pure = max_divergence();
  const Measure concentrated = zero_concentrated_divergence();
  return {
      noise("make_laplace", make_laplace, pure).example(in_r::number_of("i32") + ", scale = 2"),
      noise("make_gaussian", make_gaussian, concentrated)
          .example(in_r::number_of("i32") + ", scale = 2"),
      constructor("make_noise",
                  {"input_domain", "input_metric", "output_measure", "scale", "k"},
                  noise_of_measure)
          .example(in_r::number_of("i32") + ", output_measure = max_divergence(), scale = 2"),
      constructor(
          "make_geometric", {"input_domain", "input_metric", "scale", "bounds", ".MO"}, geometric)
          .example(in_r::number_of("i32") + ", scale = 2, bounds = c(0L, 10L)"),
      constructor("make_canonical_noise",
                  {"input_domain", "input_metric", "d_in", "d_out"},
                  canonical_noise)
          .example(in_r::number_of("f64") + ", d_in = 6, d_out = c(1, 1e-6)"),
      threshold_noise("make_laplace_threshold", make_laplace_threshold, approximate(pure))
          .example(in_r::counts_under("l01inf_distance") + ", scale = 2, threshold = 50L"),
      threshold_noise("make_gaussian_threshold", make_gaussian_threshold, approximate(concentrated))
          .example(in_r::counts_under("l02inf_distance") + ", scale = 2, threshold = 50L"),
      constructor("make_noise_threshold",
                  {"input_domain", "input_metric", "output_measure", "scale", "threshold", "k"},
                  threshold_of_measure)
          .example(
              in_r::counts_under("l01inf_distance") +
              ", output_measure = fixed_smoothed_max_divergence(), scale = 2, threshold = 50L"),
      constructor("make_alp_queryable",
                  make_alp_queryable,
                  {"input_domain",
                   "input_metric",
                   "scale",
                   "total_limit",
                   "value_limit",
                   "size_factor",
                   "alpha"})
          .example(in_r::counts_under("l01inf_distance") +
                   ", scale = 1, total_limit = 24L, value_limit = 24L"),
      constructor(
          "make_user_measurement",
          {"input_domain", "input_metric", "output_measure", "function_", "privacy_map", ".TO"},
          user_measurement)
          .example(
              in_r::rows_of("i32") +
              ", output_measure = max_divergence(), function_ = length, privacy_map = identity")
          .needs(kPromised),
  };
}

}  // namespace dp
