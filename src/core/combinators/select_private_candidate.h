// The first good candidate among private ones.
#pragma once

#include <functional>
#include <optional>

#include "core/measurements/measurement.h"

namespace dp {

// Splits a release into a score and the rest; empty if it is not such a pair.
using ScoreOf = std::function<std::optional<double>(const Value& release)>;

// The first part of a tuple of two, if it is a number, to the nearest double.
std::optional<double> score_of_pair(const Value& release);

// Runs the measurement, whose release is a pair of a score and a candidate, until a score is at
// least the `threshold`, and releases that pair. After each run with a lower score a coin ends it
// with probability `stop_probability` = g, and Null is released: at most J runs, P[J = j] = g (1 -
// g)^(j - 1). With g = 0 it continues until the user interrupts it. A release that is not a pair,
// or whose score is not a number, counts as too low. NaN counts
// as the lowest number.
//
// Privacy: if a run gives (score, candidate) = v above the threshold with probability p(v), and a
// is the sum of these, the release is v with probability p(v) / (g + (1 - g) a) and Null with
// probability g (1 - a) / (g + (1 - g) a). Numerators and denominator each change at most by a
// factor of exp(epsilon), so the loss is 2 epsilon, for every g. The running time depends on the
// data.
//
// Source: Liu and Talwar (2019), "Private Selection from Private Candidates", Theorem 3.1, without
// the limit on runs. (The reference draws J with g instead of 1 / g, and so hardly ever runs
// twice.)
//
// Throws `type` unless the measure is MaxDivergence, make_measurement unless `stop_probability` is
// in [0, 1) and the `threshold` finite, or if the measurement, which runs several times, is
// amplified (composable.h).
Measurement make_select_private_candidate(const Measurement& measurement,
                                          double stop_probability,
                                          double threshold,
                                          ScoreOf score_of = score_of_pair);

}  // namespace dp
