#include "core/combinators/fix_delta.h"

#include "core/combinators/cast_measure.h"
#include "core/measures/loss.h"
#include "core/numeric/directed.h"

namespace dp {

Measurement make_fix_delta(const Measurement& measurement, Delta delta) {
  const Measure& measure = measurement.output_measure();
  const double total = delta.value();
  const auto at = [total](const PrivacyProfile& profile, double rest) {
    return Distance::Tuple{Scalar(profile.epsilon(rest)), Scalar(total)};
  };
  const Measure fixed = approximate(max_divergence());
  if (measure.kind == MeasureKind::smoothed_max_divergence) {
    return cast_measure(
        measurement, fixed, [=](const Distance& loss) { return at(profile_in(loss), total); });
  }
  if (is_approximate(measure, MeasureKind::smoothed_max_divergence)) {
    return cast_measure(measurement, fixed, [=](const Distance& loss) {
      const ApproximateLoss parts = approximate_in(loss);
      return at(profile_in(parts.inner), sub_down(total, parts.delta));
    });
  }
  refuse_measure(measure, "SmoothedMaxDivergence and its approximate form");
}

}  // namespace dp
