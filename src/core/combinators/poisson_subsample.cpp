#include "core/combinators/poisson_subsample.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/accounting/loss_pairs.h"
#include "core/accounting/pld.h"
#include "core/combinators/cast_measure.h"
#include "core/combinators/sampled_loss.h"
#include "core/data/frame.h"
#include "core/data/selection.h"
#include "core/measurements/composable.h"
#include "core/measurements/threshold.h"
#include "core/measures/loss.h"
#include "core/measures/profile_loss_law.h"
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

bool is_nothing(const Measure& measure, const Distance& loss) {
  switch (measure.kind) {
    case MeasureKind::approximate: {
      const ApproximateLoss parts = approximate_in(loss);
      return parts.delta == 0 && is_nothing(*measure.inner, parts.inner);
    }
    case MeasureKind::smoothed_max_divergence:
      return profile_in(loss).delta(0) == 0;
    default:
      return number_in<double>(loss) == 0;
  }
}

// Proofs take datasets in another order for one.
void check_order(const Measurement& measurement) {
  if (is_nothing(measurement.output_measure(), measurement.map(Scalar(std::uint32_t{0})))) return;
  throw Error(ErrorKind::failed_map,
              "a measurement that is subsampled must lose nothing at a distance of 0.");
}

Sampling sampling_at(double rate) {
  return {[rate](std::uint32_t changed) { return changed == 1 ? rate : any_of(rate, changed); }, 1};
}

// What a sample loses, and what whole datasets do.
class SubsampledLoss {
 public:
  SubsampledLoss(const Measurement& measurement, double rate)
      : measurement_(measurement), rate_(rate), sampling_(sampling_at(rate)) {}

  std::vector<LossPair> pairs(const Distance& d_in) const {
    std::vector<LossPair> inner = loss_pairs(measurement_, d_in);
    const auto changed = number_in<std::uint32_t>(d_in);
    if (changed == 0 || rate_ == 1 || inner.empty()) return inner;
    check_order(measurement_);
    if (changed == 1) return {subsampled_pair(*one_law(inner), rate_)};
    return {profile_loss_pair(sampled_profile(compose_loss_pairs(inner), sampling_.hit(changed)))};
  }

  PrivacyMap map() const {
    const Measure& measure = measurement_.output_measure();
    const auto checked = [self = *this,
                          inner = sampled_map(measure, measurement_.privacy_map(), sampling_)](
                             const Distance& d_in) {
      check_order(self.measurement_);
      return inner(d_in);
    };
    return PrivacyMap::of_drawn_sample(checked);
  }

  PrivacyMap profile() const {
    return PrivacyMap::of_drawn_sample([self = *this](const Distance& d_in) -> Distance {
      return std::make_shared<const PrivacyProfile>(compose_loss_pairs(self.pairs(d_in)));
    });
  }

 private:
  static LossLawPtr one_law(const std::vector<LossPair>& pairs) {
    if (pairs.size() == 1 && pairs.front().times == 1) return symmetric_pair(pairs.front()).forward;
    return profile_loss_pair(compose_loss_pairs(pairs)).forward;
  }

  Measurement measurement_;
  double rate_;
  Sampling sampling_;
};

bool is_scalar_loss(const Measure& measure) {
  return measure.kind == MeasureKind::max_divergence ||
         is_approximate(measure, MeasureKind::max_divergence);
}

void check_measure(const Measure& measure) {
  const MeasureKind kind =
      measure.kind == MeasureKind::approximate ? measure.inner->kind : measure.kind;
  if (kind == MeasureKind::max_divergence || kind == MeasureKind::zero_concentrated_divergence ||
      kind == MeasureKind::smoothed_max_divergence) {
    return;
  }
  refuse_measure(measure,
                 "MaxDivergence, ZeroConcentratedDivergence, SmoothedMaxDivergence and their "
                 "approximate forms");
}

}  // namespace

Measurement make_poisson_subsample(const Measurement& measurement, double rate) {
  const Composable inner(measurement);
  require_measurement(rate > 0 && rate <= 1, "`rate` must be above 0, and at most 1.");
  check_rows(measurement);
  const Measure& measure = measurement.output_measure();
  check_measure(measure);
  const SubsampledLoss loss(*inner, rate);
  const bool scalar = is_scalar_loss(measure);
  return Measurement(measurement.input_domain(),
                     measurement.input_metric(),
                     scalar ? measure : smoothed_max_divergence(),
                     stage_function<PoissonSample>(rate).then(measurement.function()),
                     scalar ? loss.map() : loss.profile(),
                     [loss](const Distance& d_in) { return loss.pairs(d_in); });
}

}  // namespace dp
