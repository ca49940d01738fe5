// Bounds on the loss of a release from a random sample of the rows.
#pragma once

#include <cstdint>
#include <functional>

#include "core/measurements/privacy_map.h"
#include "core/measures/measure.h"
#include "core/measures/privacy_profile.h"
#include "core/metrics/distance_map.h"

namespace dp {

// How rows enter a sample.
struct Sampling {
  // Upper bound of the probability h(c) that a sample has one of c changed rows; at most 1.
  std::function<double(std::uint32_t c)> hit;
  std::uint32_t unit;  // the distance of one changed row
};

// A sample of n of N rows, drawn without replacement: h(c) = 1 - (1 - n/N) (1 - n/(N-1)) ..., with
// c factors, and 1 if all but c rows are fewer than n.
Sampling sampling_of_fixed_size(std::uint64_t n, std::uint64_t N, std::uint32_t unit);

// The loss at a distance of d_in on whole datasets, if `map` is the loss on samples, under
// MaxDivergence and its approximate form. With c = floor(d_in / unit) changed rows:
//
//   epsilon' = ln(1 + h(c) (exp(epsilon(d_in)) - 1)),  delta' = h(c) delta(d_in),
//
// and never more than epsilon(d_in). Group privacy is another bound: with (a, b) the (epsilon',
// delta') of one changed row, the loss of c of them is
//
//   epsilon' = c a,  delta' = b (1 + e^a + ... + e^((c - 1) a)).
//
// Both bounds hold, each as a pair. The second one is returned if it is at most the first in both
// parts, otherwise the first.
//
// Proof of the first. Draw the samples of both datasets jointly, with the same rows from their
// common rows. Let m be the law of the release if neither has a changed row, which is the same for
// both. If one has, let p and q be the laws of the releases. They are mixtures over the same draws
// of laws at most d_in apart, and so are p and m: drop the changed rows, or, if the sample has a
// fixed size, replace them by rows that were not drawn. At exp(epsilon') = 1 + h (exp(epsilon) -
// 1), the divergence of (1 - h) m + h p and (1 - h) m + h q is h times the divergence of p and (1 -
// b) m + b q at exp(epsilon), with b = exp(epsilon' - epsilon). By convexity this is at most h
// delta(epsilon).
//
// Source: Balle, Barthe and Gaboardi (2018), "Privacy Amplification by Subsampling: Tight Analyses
// via Couplings and Divergences", Theorem 2.
//
// Proof of the second. Datasets X_0, ..., X_c, each with one row changed from the one before, lead
// from one to the other. P[X_0] <= e^a P[X_1] + b for every event. By induction, P[X_1] <= e^((c -
// 1) a) P[X_c] + b (1 + ... + e^((c - 2) a)), and both give the bound.
DistanceMap sampled_map(const Measure& measure, const PrivacyMap& map, const Sampling& sampling);

// The first bound for every epsilon at once: h delta(ln(1 + (e^epsilon - 1) / h)), for a profile
// delta of the samples and `hit` = h.
PrivacyProfile sampled_profile(const PrivacyProfile& profile, double hit);

}  // namespace dp
