#include "core/combinators/measure_cast.h"

#include <functional>
#include <memory>
#include <utility>

#include "core/accounting/loss_pairs.h"
#include "core/combinators/cast_measure.h"
#include "core/measures/cdp_delta.h"
#include "core/measures/loss.h"
#include "core/measures/renyi.h"
#include "core/numeric/directed.h"

namespace dp {
namespace {

Distance profile_distance(std::function<double(double)> curve) {
  return std::make_shared<const PrivacyProfile>(std::move(curve));
}

Distance cdp_profile(const Distance& loss) {
  const Rho rho(number_in<double>(loss));
  return profile_distance([rho](double epsilon) { return cdp_delta(rho, Epsilon(epsilon)); });
}

// A curve loses information about `measurement`; its laws do not.
template <class Renyi>
Measurement cast_to_renyi(const Measurement& measurement, Renyi renyi) {
  LossMap laws = measurement.loss_map();
  if (!laws) laws = [measurement](const Distance& d_in) { return loss_pairs(measurement, d_in); };
  const auto to_curve = [renyi](const Distance& loss) -> Distance {
    return Distance::Curve([renyi, number = number_in<double>(loss)](double alpha) {
      return renyi(number, RenyiOrder(alpha));
    });
  };
  return cast_measure(measurement, renyi_divergence(), to_curve, std::move(laws));
}

}  // namespace

Measurement make_approximate(const Measurement& measurement) {
  const Measure& measure = measurement.output_measure();
  if (measure.kind != MeasureKind::max_divergence &&
      measure.kind != MeasureKind::zero_concentrated_divergence &&
      measure.kind != MeasureKind::user) {
    refuse_measure(measure,
                   "MaxDivergence, ZeroConcentratedDivergence and user-defined divergences");
  }
  return cast_measure(measurement, approximate(measure), [](const Distance& loss) {
    return Distance::Tuple{loss, Scalar(0.0)};
  });
}

Measurement make_pureDP_to_zCDP(const Measurement& measurement) {
  const Measure& measure = measurement.output_measure();
  if (measure.kind != MeasureKind::max_divergence) refuse_measure(measure, "MaxDivergence");
  return cast_measure(measurement, zero_concentrated_divergence(), [](const Distance& loss) {
    const double epsilon = number_in<double>(loss);
    return Scalar(div_up(mul_up(epsilon, epsilon), 2.0));
  });
}

Measurement make_fixed_approxDP_to_approxDP(const Measurement& measurement) {
  const Measure& measure = measurement.output_measure();
  if (!is_approximate(measure, MeasureKind::max_divergence)) {
    refuse_measure(measure, "Approximate<MaxDivergence>");
  }
  return cast_measure(measurement, smoothed_max_divergence(), [](const Distance& loss) {
    const ApproximateLoss parts = approximate_in(loss);
    return profile_distance([fixed = number_in<double>(parts.inner), delta = parts.delta](
                                double epsilon) { return epsilon >= fixed ? delta : 1; });
  });
}

Measurement make_zCDP_to_approxDP(const Measurement& measurement) {
  const Measure& measure = measurement.output_measure();
  if (measure.kind == MeasureKind::zero_concentrated_divergence) {
    return cast_measure(measurement, smoothed_max_divergence(), cdp_profile);
  }
  if (is_approximate(measure, MeasureKind::zero_concentrated_divergence)) {
    return cast_measure(
        measurement, approximate(smoothed_max_divergence()), [](const Distance& loss) {
          const ApproximateLoss parts = approximate_in(loss);
          return Distance::Tuple{cdp_profile(parts.inner), Scalar(parts.delta)};
        });
  }
  refuse_measure(measure, "ZeroConcentratedDivergence and its approximate form");
}

Measurement make_pureDP_to_RDP(const Measurement& measurement) {
  const Measure& measure = measurement.output_measure();
  if (measure.kind != MeasureKind::max_divergence) refuse_measure(measure, "MaxDivergence");
  return cast_to_renyi(measurement, [](double epsilon, RenyiOrder alpha) {
    return pure_renyi(Epsilon(epsilon), alpha);
  });
}

Measurement make_zCDP_to_RDP(const Measurement& measurement) {
  const Measure& measure = measurement.output_measure();
  if (measure.kind != MeasureKind::zero_concentrated_divergence) {
    refuse_measure(measure, "ZeroConcentratedDivergence");
  }
  return cast_to_renyi(measurement, [](double rho, RenyiOrder alpha) {
    return concentrated_renyi(Rho(rho), alpha);
  });
}

Measurement make_RDP_to_approxDP(const Measurement& measurement) {
  const Measure& measure = measurement.output_measure();
  if (measure.kind != MeasureKind::renyi_divergence) refuse_measure(measure, "RenyiDivergence");
  return cast_measure(measurement, smoothed_max_divergence(), [](const Distance& loss) {
    const auto* curve = loss.as<Distance::Curve>();
    if (curve == nullptr) throw Error(ErrorKind::failed_cast, "the loss must be a curve.");
    return profile_distance(
        [curve = *curve](double epsilon) { return renyi_delta(curve, Epsilon(epsilon)); });
  });
}

}  // namespace dp
