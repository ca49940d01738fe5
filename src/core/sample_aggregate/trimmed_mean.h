// The mean of all but the smallest and the largest numbers, with noise as large as these numbers
// need and not as all numbers might.
//
// Of k numbers in [a, b] the m smallest and the m largest are left out. With z_(i) the numbers in
// order, a before the first and b behind the last, the sum of the others moves by
//
//   L(t) = max over 0 <= l <= t + 1 of z_(k - m + 1 + t - l) - z_(m + 1 - l)
//
// at most when, of any numbers that differ from z in t places, one more is replaced. The noise has
// the scale S / s of heavy_tail_noise(), where
//
//   S = max over t >= 0 of w_t L(t),    w_0 = 1,  w_(t+1) >= exp(-beta) w_t
//
// with w the integers, in steps of 2^-62, that fulfil this most closely. As L(t) of z is at most
// L(t + 1) of a neighbour, S of z is at most exp(beta) times S of a neighbour, exactly: all of it
// are integers. L(2 m + 1) = b - a already, so no larger t matters, and S > 0.
//
// Loss: (3/2) s + 2 beta per replaced number, a shift by s and a stretch by exp(beta) of the noise;
// that of d replaced numbers is d times as large. S itself is private and never leaves.
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
