// Canonical noise: the tightest noise for approximate differential privacy.
#pragma once

#include "core/measurements/measurement.h"
#include "core/numeric/parameters.h"

namespace dp {

// Adds d_in * N to a number, N a draw of the canonical noise of (epsilon, delta)
// (random/canonical_noise.h), and releases the nearest double. Infinite numbers count as the
// largest finite ones. N is drawn with enough bits to determine that double. So the double has
// exactly the law of the rounded real sum, and rounding is postprocessing, without a grid.
//
// Privacy: (epsilon, delta) at any distance up to `d_in`, (0, 0) if that is 0; failed_map beyond.
//
// Throws make_measurement unless `input_domain` is an f64 without NaN, `d_in` finite and not
// negative, epsilon finite and at least 2^-42, and delta in [0, 1]; metric_space or `type` for a
// metric other than AbsoluteDistance(f64).
Measurement make_canonical_noise(const Domain& input_domain,
                                 const Metric& input_metric,
                                 double d_in,
                                 double epsilon,
                                 double delta);

}  // namespace dp
