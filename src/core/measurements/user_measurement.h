// Measurements that a user brings along.
#pragma once

#include <functional>

#include "core/measurements/measurement.h"

namespace dp {

// `function` with `privacy_map`, on the user's word: nothing is verified but that losses have the
// distance type of `output_measure`, else failed_function.
//
// Throws metric_space if the input pair is not a metric space.
Measurement make_user_measurement(const Domain& input_domain,
                                  const Metric& input_metric,
                                  const Measure& output_measure,
                                  std::function<Value(const Value&)> function,
                                  PrivacyMap privacy_map);

}  // namespace dp
