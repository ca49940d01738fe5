// Two-sided geometric noise on integers, optionally in constant time within public bounds.
#pragma once

#include <optional>

#include "core/measurements/measurement.h"

namespace dp {

// Without `bounds`, make_laplace() on integers. With `bounds`, each number x is clamped to them and
// comes out as clamp(clamp(x) + Z), where P[Z = z] is proportional to (1 - p)^|z| and p is
// 1 - exp(-1 / scale), rounded down: a sign, and as the magnitude the number of failures of p-coins
// before the first success, or the distance of the bounds if that is less: more moves no number any
// further. One coin is flipped for each binary digit of that distance, whatever comes up
// (random/truncated_geometric.h): the steps taken depend on nothing of the noise but how often
// (-, 0) was started over. Sign and magnitude meet in 128 bits, so that they stay distinct at the
// limits of a type.
//
// Bounds that meet release that number; scale 0 releases the number as it is.
//
// Privacy: a step of the input changes the probability of an outcome by a factor of at most
// 1 / (1 - p) <= exp(1 / scale), and clamping does not move numbers apart, so epsilon = d / scale.
// Source: Ghosh, Roughgarden and Sundararajan (2009), "Universally Utility-Maximizing Privacy
// Mechanisms"; Balcer and Vadhan (2018), "Differential Privacy on Finite Computers", Section 3.
//
// Throws `type` unless elements and distances are integers; make_measurement if the lower bound
// exceeds the upper, or if the scale is so large that p is 0; failed_cast for bounds of another
// type; else as make_laplace().
Measurement make_geometric(const Domain& input_domain,
                           const Metric& input_metric,
                           double scale,
                           const std::optional<Bounds>& bounds = std::nullopt);

}  // namespace dp
