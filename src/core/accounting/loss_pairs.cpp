#include "core/accounting/loss_pairs.h"

#include "core/measures/concentrated_law.h"
#include "core/measures/finite_loss_law.h"
#include "core/measures/loss.h"
#include "core/measures/profile_loss_law.h"

namespace dp {
namespace {

[[noreturn]] void refuse(const Measure& measure) {
  throw Error(ErrorKind::type,
              "No privacy-loss distribution is known for the measure " + debug(measure) + ".");
}

LossPair worst_pair(const Measure& measure, const Distance& loss) {
  switch (measure.kind) {
    case MeasureKind::max_divergence:
      return approximate_dp_pair(Epsilon(number_in<double>(loss)), Delta(0));
    case MeasureKind::zero_concentrated_divergence:
      return concentrated_pair(Rho(number_in<double>(loss)));
    case MeasureKind::smoothed_max_divergence:
      return profile_loss_pair(profile_in(loss));
    default:
      refuse(measure);
  }
}

}  // namespace

std::vector<LossPair> loss_pairs(const Measurement& measurement, const Distance& d_in) {
  if (measurement.loss_map()) return measurement.loss_map()(d_in);
  const Measure& measure = measurement.output_measure();
  if (measure.kind != MeasureKind::approximate) {
    return {worst_pair(measure, measurement.map(d_in))};
  }
  const ApproximateLoss parts = approximate_in(measurement.map(d_in));
  return {worst_pair(*measure.inner, parts.inner),
          approximate_dp_pair(Epsilon(0), Delta(parts.delta))};
}

}  // namespace dp
