#include "core/combinators/subsample_without_replacement.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "core/combinators/drawn_sample.h"
#include "core/measurements/composable.h"
#include "core/measures/subsampled_law.h"
#include "core/transformations/rows/gather.h"

namespace dp {
namespace {

class SampleOfFixedSize final : public WholeStage {
 public:
  explicit SampleOfFixedSize(std::size_t size) : size_(size) {}

  bool streams() const override { return true; }
  Value run(const Value& value) const override {
    const Column& rows = *rows_in(value);
    const std::size_t size = std::min(size_, rows.size());
    return gather(rows, places_at_random(rows.size()), size, std::nullopt);
  }

 private:
  std::size_t size_;
};

// Vectors of `population` rows, for a measurement on vectors of `size` rows.
Domain population_domain(const Measurement& measurement,
                         std::uint64_t size,
                         std::uint64_t population) {
  const Metric& metric = measurement.input_metric();
  check_dataset_metric(metric);
  if (!is_bounded(metric)) {
    refuse_metric(metric, "the input metric must be ChangeOneDistance or HammingDistance");
  }
  row_domain(measurement.input_domain());
  require_measurement(size >= 1 && size <= population,
                      "`size` must be at least 1, and at most `population`.");
  VectorDomain rows = *measurement.input_domain().as<VectorDomain>();
  require_measurement(rows.size == size,
                      "`size` must be the number of rows that `measurement` takes.");
  rows.size = population;
  return rows;
}

}  // namespace

Measurement make_subsample_without_replacement(const Measurement& measurement,
                                               std::uint64_t size,
                                               std::uint64_t population) {
  const Composable inner(measurement);
  Domain domain = population_domain(measurement, size, population);
  DrawnSample sample{stage_function<SampleOfFixedSize>(size),
                     sampling_of_fixed_size(size, population, 1),
                     nullptr,
                     false};
  if (size < population) {
    sample.pair_of_one = [rate = sample.sampling.hit(1)](const LossLaw& law) {
      return replaced_pair(law, rate);
    };
  }
  return make_drawn_sample(inner, std::move(domain), std::move(sample));
}

}  // namespace dp
