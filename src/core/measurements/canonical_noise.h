// Canonical noise: approximate differential privacy with nothing given away.
#pragma once

#include "core/measurements/measurement.h"
#include "core/numeric/parameters.h"

namespace dp {

// Adds d_in * N to a number, N a draw of the canonical noise of (epsilon, delta)
// (random/canonical_noise.h), and releases the nearest double. Infinite numbers count as the
// largest finite ones. N is drawn with as many bits as it takes to know that double, which so has
// exactly the law of the rounded sum of real numbers: rounding is postprocessing, on no grid.
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
