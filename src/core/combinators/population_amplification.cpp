#include "core/combinators/population_amplification.h"

#include <algorithm>
#include <string>

#include "core/combinators/cast_measure.h"
#include "core/combinators/sampled_loss.h"
#include "core/measurements/composable.h"
#include "core/measurements/refuse.h"
#include "core/measures/loss.h"
#include "core/numeric/rational.h"

namespace dp {
namespace {

// At least h(c) for a sample of n out of N.
double hit_probability(std::uint64_t n, std::uint64_t N, std::uint32_t c) {
  constexpr std::uint32_t kMostFactors = 1 << 16;
  constexpr unsigned kBits = 192;  // each factor errs by 2^-192 at most
  if (c > N - n) return 1;
  if (c > kMostFactors) {  // no more than c n / N
    return std::min(1.0, to_double_up(Rational(Integer(c) * n, N)));
  }
  const Integer one = Integer(1) << kBits;
  Integer missed = one;
  for (std::uint32_t i = 0; i < c; ++i) missed = missed * Integer(N - n - i) / Integer(N - i);
  return scaled_to_double_up(one - missed, -static_cast<int>(kBits));
}

Sampling sampling_of(const Measurement& measurement, std::uint64_t population_size) {
  const auto* rows = measurement.input_domain().as<VectorDomain>();
  if (rows == nullptr || !rows->size) {
    refuse_measurement("elements of the vector domain have unknown size");
  }
  check_dataset_metric(measurement.input_metric());
  if (population_size < *rows->size) {
    refuse_measurement("population size (" + std::to_string(population_size) +
                       ") cannot be less than sample size (" + std::to_string(*rows->size) + ")");
  }
  return {[n = *rows->size, population_size](std::uint32_t changed) {
            return hit_probability(n, population_size, changed);
          },
          is_bounded(measurement.input_metric()) ? 1u : 2u};
}

}  // namespace

Measurement make_population_amplification(const Measurement& measurement,
                                          std::uint64_t population_size) {
  const Sampling sampling = sampling_of(measurement, population_size);
  const Measure& measure = measurement.output_measure();
  if (measure.kind != MeasureKind::max_divergence &&
      !is_approximate(measure, MeasureKind::max_divergence)) {
    refuse_measure(measure, "MaxDivergence and its approximate form");
  }
  const PrivacyMap map = Composable(measurement)->privacy_map();
  return Measurement(measurement.input_domain(),
                     measurement.input_metric(),
                     measure,
                     measurement.function(),
                     PrivacyMap::of_secret_sample(sampled_map(measure, map, sampling)));
}

}  // namespace dp
