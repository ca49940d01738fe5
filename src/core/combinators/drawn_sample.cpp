#include "core/combinators/drawn_sample.h"

#include <memory>
#include <utility>
#include <vector>

#include "core/accounting/loss_pairs.h"
#include "core/accounting/pld.h"
#include "core/combinators/cast_measure.h"
#include "core/measures/loss.h"
#include "core/measures/profile_loss_law.h"

namespace dp {
namespace {

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

// The proofs identify datasets that differ only in order.
void check_order(const Measurement& measurement) {
  if (is_nothing(measurement.output_measure(), measurement.map(Scalar(std::uint32_t{0})))) return;
  throw Error(ErrorKind::failed_map,
              "a measurement that is subsampled must lose nothing at a distance of 0.");
}

// Losses on samples, and on whole datasets.
class SubsampledLoss {
 public:
  SubsampledLoss(const Measurement& measurement, const DrawnSample& sample)
      : measurement_(measurement),
        sampling_(sample.sampling),
        pair_of_one_(sample.pair_of_one),
        ignores_order_(sample.ignores_order) {}

  std::vector<LossPair> pairs(const Distance& d_in) const {
    std::vector<LossPair> inner = loss_pairs(measurement_, d_in);
    const std::uint32_t changed = drawn_rows(d_in);
    if (changed == 0 || inner.empty()) return inner;
    if (changed == 1) return {pair_of_one_(*one_law(inner))};
    return {profile_loss_pair(sampled_profile(compose_loss_pairs(inner), sampling_.hit(changed)))};
  }

  PrivacyMap map() const {
    const Measure& measure = measurement_.output_measure();
    const auto checked = [self = *this,
                          inner = sampled_map(measure, measurement_.privacy_map(), sampling_)](
                             const Distance& d_in) {
      if (self.ignores_order_) check_order(self.measurement_);
      return inner(d_in);
    };
    return PrivacyMap::of_drawn_sample(checked);
  }

  PrivacyMap profile() const {
    return PrivacyMap::of_drawn_sample([self = *this](const Distance& d_in) -> Distance {
      PrivacyProfile whole = compose_loss_pairs(loss_pairs(self.measurement_, d_in));
      const std::uint32_t changed = self.drawn_rows(d_in);
      return std::make_shared<const PrivacyProfile>(
          changed == 0 ? std::move(whole) : sampled_profile(whole, self.sampling_.hit(changed)));
    });
  }

 private:
  // Number of differing rows that sampling can exclude. 0 if sampling hides nothing.
  std::uint32_t drawn_rows(const Distance& d_in) const {
    const auto changed = number_in<std::uint32_t>(d_in);
    if (changed == 0 || !pair_of_one_) return 0;
    if (ignores_order_) check_order(measurement_);
    return changed;
  }

  static LossLawPtr one_law(const std::vector<LossPair>& pairs) {
    if (pairs.size() == 1 && pairs.front().times == 1) return symmetric_pair(pairs.front()).forward;
    return profile_loss_pair(compose_loss_pairs(pairs)).forward;
  }

  Measurement measurement_;
  Sampling sampling_;
  std::function<LossPair(const LossLaw&)> pair_of_one_;
  bool ignores_order_;
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

Measurement make_drawn_sample(const Composable& composable,
                              Domain input_domain,
                              DrawnSample sample) {
  const Measurement& measurement = *composable;
  const Measure& measure = measurement.output_measure();
  check_measure(measure);
  const SubsampledLoss loss(measurement, sample);
  const bool scalar = is_scalar_loss(measure);
  return Measurement(std::move(input_domain),
                     measurement.input_metric(),
                     scalar ? measure : smoothed_max_divergence(),
                     sample.draw.then(measurement.function()),
                     scalar ? loss.map() : loss.profile(),
                     [loss](const Distance& d_in) { return loss.pairs(d_in); });
}

}  // namespace dp
