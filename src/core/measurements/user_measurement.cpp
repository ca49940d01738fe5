#include "core/measurements/user_measurement.h"

#include <memory>
#include <utility>

#include "core/measures/privacy_profile.h"

namespace dp {
namespace {

// Whether `loss` is one that `measure` can give.
bool has_distance_type(const Distance& loss, const Measure& measure) {
  switch (measure.kind) {
    case MeasureKind::max_divergence:
    case MeasureKind::zero_concentrated_divergence:
      return loss.as<Scalar>() != nullptr && carries(*loss.as<Scalar>(), AtomType::f64);
    case MeasureKind::renyi_divergence:
      return loss.as<Distance::Curve>() != nullptr;
    case MeasureKind::smoothed_max_divergence:
      return loss.as<std::shared_ptr<const PrivacyProfile>>() != nullptr;
    case MeasureKind::approximate: {
      const auto* pair = loss.as<Distance::Tuple>();
      return pair != nullptr && pair->size() == 2 &&
             has_distance_type((*pair)[0], *measure.inner) &&
             has_distance_type((*pair)[1], max_divergence());
    }
    case MeasureKind::user:
      return true;
  }
  return false;
}

}  // namespace

Measurement make_user_measurement(const Domain& input_domain,
                                  const Metric& input_metric,
                                  const Measure& output_measure,
                                  std::function<Value(const Value&)> function,
                                  DistanceMap privacy_map) {
  auto checked_map = [map = std::move(privacy_map), output_measure](const Distance& d_in) {
    Distance d_out = map(d_in);
    if (!has_distance_type(d_out, output_measure)) {
      throw Error(
          ErrorKind::failed_function,
          "privacy_map must return the distance type " + distance_type_name(output_measure) + ".");
    }
    return d_out;
  };
  return Measurement(input_domain,
                     input_metric,
                     output_measure,
                     whole_function(std::move(function)),
                     std::move(checked_map));
}

}  // namespace dp
