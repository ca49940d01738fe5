// Measurements that a user brings along.
#pragma once

#include <functional>

#include "core/measurements/measurement.h"

namespace dp {

// `function` with `privacy_map`, on the caller's word: nothing is verified but that losses have the
// distance type of `output_measure`, else failed_function, and are neither negative nor NaN in any
// part, else failed_map (privacy_map.h); a privacy profile and a Renyi curve at each point where
// they are asked. What a loss in a user's own measure is, is not known here.
//
// Throws metric_space if the input pair is not a metric space.
Measurement make_user_measurement(const Domain& input_domain,
                                  const Metric& input_metric,
                                  const Measure& output_measure,
                                  std::function<Value(const Value&)> function,
                                  DistanceMap privacy_map);

}  // namespace dp
