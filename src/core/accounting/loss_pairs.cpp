#include "core/accounting/loss_pairs.h"

#include <algorithm>

#include "core/accounting/cdp_delta.h"
#include "core/measures/finite_loss_law.h"
#include "core/measures/loss.h"
#include "core/measures/profile_loss_law.h"
#include "core/numeric/directed.h"

namespace dp {
namespace {

PrivacyProfile raised(const PrivacyProfile& profile, double delta) {
  return PrivacyProfile(
      [=](double epsilon) { return std::min(add_up(profile.delta(epsilon), delta), 1.0); });
}

[[noreturn]] void refuse(const Measure& measure) {
  throw Error(ErrorKind::type,
              "No privacy-loss distribution is known for the measure " + debug(measure) + ".");
}

LossPair worst_pair(const Measure& measure, const Distance& loss, double delta) {
  switch (measure.kind) {
    case MeasureKind::max_divergence:
      return approximate_dp_pair(Epsilon(number_in<double>(loss)), Delta(delta));
    case MeasureKind::zero_concentrated_divergence: {
      const Rho rho(number_in<double>(loss));
      const PrivacyProfile profile(
          [rho](double epsilon) { return cdp_delta(rho, Epsilon(epsilon)); });
      return profile_loss_pair(raised(profile, delta));
    }
    case MeasureKind::smoothed_max_divergence:
      return profile_loss_pair(raised(profile_in(loss), delta));
    default:
      refuse(measure);
  }
}

}  // namespace

std::vector<LossPair> loss_pairs(const Measurement& measurement, const Distance& d_in) {
  if (measurement.loss_map()) return measurement.loss_map()(d_in);
  const Measure& measure = measurement.output_measure();
  if (measure.kind != MeasureKind::approximate) {
    return {worst_pair(measure, measurement.map(d_in), 0)};
  }
  const ApproximateLoss parts = approximate_in(measurement.map(d_in));
  return {worst_pair(*measure.inner, parts.inner, parts.delta)};
}

}  // namespace dp
