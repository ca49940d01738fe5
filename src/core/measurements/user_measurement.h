// User-defined measurements.
#pragma once

#include <functional>

#include "core/measurements/measurement.h"

namespace dp {

// `function` with `privacy_map`, as the user promises. Nothing is verified except the losses: they
// must have the distance type of `output_measure` (failed_function), and must not be negative or
// NaN in any part (failed_map, privacy_map.h). A privacy profile and a Renyi curve are verified at
// each point of use. Losses in a user-defined measure have no known meaning here.
//
// Throws metric_space if the input pair is not a metric space.
Measurement make_user_measurement(const Domain& input_domain,
                                  const Metric& input_metric,
                                  const Measure& output_measure,
                                  std::function<Value(const Value&)> function,
                                  DistanceMap privacy_map);

}  // namespace dp
