// Transformations that a user brings along.
#pragma once

#include <functional>

#include "core/transformations/transformation.h"

namespace dp {

// `function` with `stability_map`, on the caller's word: nothing is verified but that results have
// the carrier type of `output_domain` and its declared size, and distances the type of
// `output_metric`, else failed_function, and that no distance is negative or NaN in any part, else
// failed_map.
//
// Throws metric_space if either pair is not a metric space.
Transformation make_user_transformation(const Domain& input_domain,
                                        const Metric& input_metric,
                                        const Domain& output_domain,
                                        const Metric& output_metric,
                                        std::function<Value(const Value&)> function,
                                        StabilityMap stability_map);

}  // namespace dp
