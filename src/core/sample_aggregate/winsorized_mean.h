// The mean of numbers that are first clamped to an interval, which is found privately.
//
// Two quantiles of k numbers in [a, b], lower and upper, are selected from public candidates
// (measurements/private_quantile.h): q and r. With c their middle and w = |r - q|, or the distance
// of the first two candidates if that is 0, the interval is
//
//   [max(a, c - reach w), min(b, c + reach w)],
//
// and the clamped numbers are added up. One replaced number moves the sum by at most the width of
// the interval; the noise is discrete Laplace of `scale` times that width. With reach = 1/2 the
// interval reaches from one quantile to the other.
//
// Privacy at a distance of d: twice the loss of private_quantile, for two selections, and d /
// scale. q and r are released, so the interval is not secret, and is released with the sum.
//
// Source: Smith (2011), "Privacy-Preserving Statistical Estimation with Optimal Convergence Rates";
// with reach = 1/2, Mohan, Thakurta, Shi, Song and Culler (2012), "GUPT".
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/measurements/measurement.h"
#include "core/numeric/lattice.h"

namespace dp {

struct WinsorizedRule {
  std::pair<double, double> quantiles;   // in order
  std::vector<std::int64_t> candidates;  // increasing, at least two
  double reach;                          // > 0
  double selection_scale;                // of each selection, in numbers
  double scale;                          // of the noise, in widths of the interval
};

// From vectors of known size of bounded i64, in steps of `lattice`, under change-one or Hamming
// distance to three f64: the noisy mean, rounded to a whole step, and both ends of the interval.
//
// Throws make_measurement for a rule that is not as said; else what make_private_quantile() throws,
// and `type` for other metrics. The map throws overflow.
Measurement make_winsorized_mean(const Domain& input_domain,
                                 const Metric& input_metric,
                                 const Lattice& lattice,
                                 const WinsorizedRule& rule);

}  // namespace dp
