#include "core/combinators/population_amplification.h"

#include <string>

#include "core/combinators/cast_measure.h"
#include "core/combinators/sampled_loss.h"
#include "core/measurements/composable.h"
#include "core/measurements/refuse.h"
#include "core/measures/loss.h"

namespace dp {
namespace {

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
  return sampling_of_fixed_size(
      *rows->size, population_size, is_bounded(measurement.input_metric()) ? 1u : 2u);
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
