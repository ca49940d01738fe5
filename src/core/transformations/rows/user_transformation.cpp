#include "core/transformations/rows/user_transformation.h"

#include <utility>

#include "core/data/membership.h"

namespace dp {
namespace {

// Whether `distance` is one that `metric` can give.
bool has_distance_type(const Distance& distance, const Metric& metric) {
  if (metric.kind == MetricKind::user) return true;
  if (metric.inner) return distance.as<Distance::Tuple>() != nullptr;
  const auto* scalar = distance.as<Scalar>();
  return scalar != nullptr && carries(*scalar, metric.distance_type);
}

}  // namespace

Transformation make_user_transformation(const Domain& input_domain,
                                        const Metric& input_metric,
                                        const Domain& output_domain,
                                        const Metric& output_metric,
                                        std::function<Value(const Value&)> function,
                                        StabilityMap stability_map) {
  auto checked_function = [function = std::move(function), output_domain](const Value& arg) {
    Value out = function(arg);
    if (!has_carrier(out, output_domain)) {
      throw Error(ErrorKind::failed_function,
                  "function_ must return the carrier type " + carrier_name(output_domain) + ".");
    }
    if (!fits(out, output_domain)) {
      throw Error(ErrorKind::failed_function, "function_ must return a member of output_domain.");
    }
    return out;
  };
  auto checked_map = [map = std::move(stability_map), output_metric](const Distance& d_in) {
    Distance d_out = map(d_in);
    if (!has_distance_type(d_out, output_metric)) {
      throw Error(
          ErrorKind::failed_function,
          "stability_map must return the distance type " + distance_type_name(output_metric) + ".");
    }
    return d_out;
  };
  return Transformation(input_domain,
                        input_metric,
                        output_domain,
                        output_metric,
                        whole_function(std::move(checked_function)),
                        std::move(checked_map));
}

}  // namespace dp
