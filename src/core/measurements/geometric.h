// Two-sided geometric noise on integers, optionally in constant time within public bounds.
#pragma once

#include <optional>

#include "core/measurements/measurement.h"

namespace dp {

// Without `bounds`, make_laplace() on integers. With `bounds`, each number x is clamped to them and
// becomes clamp(clamp(x) + Z), where P[Z = z] is proportional to (1 - p)^|z| and p is 1 - exp(-1 /
// scale), rounded down. Z is a sign and a magnitude: the number of failures of p-coins before the
// first success, capped at the distance of the bounds, because a larger one moves no number
// further. One coin is flipped for each binary digit of that distance, whatever the outcome
// (random/truncated_geometric.h). So the number of steps depends on the noise only through the
// number of restarts after (-, 0). Sign and magnitude are combined in 128 bits, so they stay
// distinct at the limits of a type.
//
// Equal bounds release that number; scale 0 releases the exact number.
//
// Privacy: a step of the input changes the probability of an outcome by a factor of at most 1 / (1
// - p) <= exp(1 / scale), and clamping does not move numbers apart, so epsilon = d / scale.
//
// Source: Ghosh, Roughgarden and Sundararajan (2009), "Universally Utility-Maximizing Privacy
// Mechanisms"; Balcer and Vadhan (2018), "Differential Privacy on Finite Computers", Section 3.
//
// Throws `type` unless elements and distances are integers; make_measurement if the lower bound
// exceeds the upper, or if the scale is so large that p is 0; failed_cast for bounds of a different
// type; otherwise as make_laplace().
Measurement make_geometric(const Domain& input_domain,
                           const Metric& input_metric,
                           double scale,
                           const std::optional<Bounds>& bounds = std::nullopt);

}  // namespace dp
