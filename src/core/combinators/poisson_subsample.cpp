#include "core/combinators/poisson_subsample.h"

#include <memory>
#include <utility>
#include <vector>

#include "core/combinators/drawn_sample.h"
#include "core/data/frame.h"
#include "core/data/selection.h"
#include "core/measurements/composable.h"
#include "core/measurements/threshold.h"
#include "core/measures/subsampled_law.h"
#include "core/random/constant_time_bernoulli.h"
#include "core/runtime/parallel.h"

namespace dp {
namespace {

class PoissonSample final : public WholeStage {
 public:
  explicit PoissonSample(double rate) : coin_(rate) {}

  Value run(const Value& value) const override {
    if (const auto* rows = value.as<ColumnPtr>()) {
      return selected_rows(*rows, draw((*rows)->size()));
    }
    const Frame& frame = *frame_in(value);
    std::vector<NamedColumn> columns = frame.columns();
    if (columns.empty()) return value;
    const auto sample = draw(columns.front().contents->size());
    for (NamedColumn& column : columns)
      column.contents = selected_contents(column.contents, sample);
    return std::make_shared<const Frame>(frame.key(), std::move(columns));
  }

 private:
  std::shared_ptr<const Selection> draw(std::size_t size) const {
    OwnedColumn<bool> drawn(AtomType::boolean, size);
    BitSource& bits = secure_bits();
    for (std::size_t i = 0; i < size; ++i) {
      if (i % kBatchRows == 0) check_interrupt();
      drawn.cells()[i] = coin_.draw(bits);
    }
    return std::make_shared<const Selection>(drawn, size);
  }

  ConstantTimeBernoulli coin_;
};

void check_rows(const Measurement& measurement) {
  const Metric& metric = measurement.input_metric();
  check_dataset_metric(metric);
  if (is_bounded(metric)) {
    refuse_metric(metric, "the input metric must be SymmetricDistance or InsertDeleteDistance");
  }
  const auto* rows = measurement.input_domain().as<VectorDomain>();
  require_measurement(rows == nullptr || !rows->size,
                      "the number of rows must not be public, as that of a sample is random: "
                      "`measurement` must take vectors of any size.");
}

}  // namespace

Measurement make_poisson_subsample(const Measurement& measurement, double rate) {
  const Composable inner(measurement);
  require_measurement(rate > 0 && rate <= 1, "`rate` must be above 0, and at most 1.");
  check_rows(measurement);
  DrawnSample sample{
      stage_function<PoissonSample>(rate),
      {[rate](std::uint32_t changed) { return changed == 1 ? rate : any_of(rate, changed); }, 1},
      nullptr,
      true};
  if (rate < 1) {
    sample.pair_of_one = [rate](const LossLaw& law) { return subsampled_pair(law, rate); };
  }
  return make_drawn_sample(inner, measurement.input_domain(), std::move(sample));
}

}  // namespace dp
