// Additive noise that suits a measure.
#pragma once

#include <optional>

#include "core/measurements/measurement.h"

namespace dp {

// make_laplace for MaxDivergence, make_gaussian for ZeroConcentratedDivergence. Throws ffi for any
// other measure, as the framework does.
Measurement make_noise(const Domain& input_domain,
                       const Metric& input_metric,
                       const Measure& output_measure,
                       double scale,
                       std::optional<int> k = std::nullopt);

}  // namespace dp
