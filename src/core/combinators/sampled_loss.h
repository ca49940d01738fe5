// Bounds on what a release from a random sample of the rows loses.
#pragma once

#include <cstdint>
#include <functional>

#include "core/measurements/privacy_map.h"
#include "core/measures/measure.h"
#include "core/measures/privacy_profile.h"
#include "core/metrics/distance_map.h"

namespace dp {

// How rows come into a sample.
struct Sampling {
  // At least the probability h(c) that a sample has one of c rows that were changed; 1 at most.
  std::function<double(std::uint32_t c)> hit;
  std::uint32_t unit;  // the distance of one changed row
};

// A sample of n of N rows, drawn without replacement: h(c) = 1 - (1 - n/N) (1 - n/(N-1)) ..., with
// c factors, and 1 if all but c rows are fewer than n.
Sampling sampling_of_fixed_size(std::uint64_t n, std::uint64_t N, std::uint32_t unit);

// The loss at a distance of d_in on whole datasets, where `map` is that on samples, under
// MaxDivergence and its approximate form. With c = floor(d_in / unit) changed rows:
//
//   epsilon' = ln(1 + h(c) (exp(epsilon(d_in)) - 1)),  delta' = h(c) delta(d_in),
//
// and never more than epsilon(d_in). Group privacy is another bound: with (a, b) the (epsilon',
// delta') of one changed row, the loss of c of them is
//
//   epsilon' = c a,  delta' = b (1 + e^a + ... + e^((c - 1) a)).
//
// Both bounds hold, each as a pair; the second one is given where it is at most the first in both
// parts, else the first.
//
// Proof of the first. Draw the samples of both datasets together, the same of the rows that they
// share, and let m be the law of the release if neither has a changed row, which is one law for
// both. If one has, let p and q be the laws of the releases. They are mixtures over the same draws
// of laws at most d_in apart, and so is p against m: leave out what was changed, or, where the
// sample has a fixed size, put rows in its place that were not drawn. At exp(epsilon') = 1 + h
// (exp(epsilon) - 1), (1 - h) m + h p and (1 - h) m + h q have the divergence h times that of p and
// (1 - b) m + b q at exp(epsilon), with b = exp(epsilon' - epsilon), which by convexity is h
// delta(epsilon) at most. Source: Balle, Barthe and Gaboardi (2018), "Privacy Amplification by
// Subsampling: Tight Analyses via Couplings and Divergences", Theorem 2.
//
// Proof of the second. Datasets X_0, ..., X_c, each with one row changed from the one before, lead
// from one to the other. P[X_0] <= e^a P[X_1] + b for every event, and with what is known of X_1,
// ..., X_c, P[X_1] <= e^((c - 1) a) P[X_c] + b (1 + ... + e^((c - 2) a)), it follows by induction.
DistanceMap sampled_map(const Measure& measure, const PrivacyMap& map, const Sampling& sampling);

// The first bound for every epsilon at once: h delta(ln(1 + (e^epsilon - 1) / h)), for a profile
// delta of the samples and `hit` = h.
PrivacyProfile sampled_profile(const PrivacyProfile& profile, double hit);

}  // namespace dp
