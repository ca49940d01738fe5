// The mean of all numbers except the smallest and the largest, with noise that adapts to the
// numbers instead of their worst case.
//
// Of k numbers in [a, b] the m smallest and the m largest are dropped. With z_(i) the numbers in
// order, a before the first and b after the last, let z' differ from z in t positions. Replacing
// one more number of z' moves the sum of the remaining numbers by at most
//
//   L(t) = max over 0 <= l <= t + 1 of z_(k - m + 1 + t - l) - z_(m + 1 - l).
//
// The noise has the scale S / s of heavy_tail_noise(), where
//
//   S = max over t >= 0 of w_t L(t),    w_0 = 1,  w_(t+1) >= exp(-beta) w_t
//
// with w the integers, in steps of 2^-62, that satisfy this most closely. L(t) of z is at most L(t
// + 1) of a neighbour, so S of z is at most exp(beta) times S of a neighbour, exactly: all are
// integers. L(2 m + 1) = b - a already, so no larger t matters, and S > 0.
//
// Privacy: (3/2) s + 2 beta per replaced number, for a shift by s and a stretch by exp(beta) of the
// noise; d replaced numbers lose d times this. S is private and never released.
//
// Source: Nissim, Raskhodnikova and Smith (2007), "Smooth Sensitivity and Sampling in Private Data
// Analysis"; Bun and Steinke (2019), "Average-Case Averages: Private Algorithms for Smooth
// Sensitivity and Mean Estimation", for L.
#pragma once

#include <cstdint>
#include <vector>

#include "core/measurements/measurement.h"

namespace dp {

// From vectors of known size of bounded i64 under change-one or Hamming distance to an i128: the
// noisy sum of the k - 2 m numbers that remain, moved into its range [(k - 2 m) a, (k - 2 m) b].
//
// Throws make_measurement unless k > 2 m, shift > 0 and beta > 0 are finite, and a < b; failed_cast
// unless numbers are i64 and present; `type` for other metrics. The map throws overflow.
Measurement make_trimmed_sum(const Domain& input_domain,
                             const Metric& input_metric,
                             std::uint64_t trim,
                             double shift,
                             double beta);

// 2^62 S of `numbers`, which are in order; of `trim` = m, bounds a and b, and weights w.
int128_t smooth_sensitivity(const std::vector<std::int64_t>& numbers,
                            std::size_t trim,
                            std::int64_t lower,
                            std::int64_t upper,
                            const std::vector<std::int64_t>& weights);

// w_0, ..., w_(count - 1), in steps of 2^-62.
std::vector<std::int64_t> smoothing_weights(std::size_t count, double beta);

}  // namespace dp
