// The exact set of the largest counts, if it is stable; otherwise an empty set.
#pragma once

#include <cstdint>

#include "core/measurements/measurement.h"

namespace dp {

// From a vector of more than k counts (i64) to the indices from 0 of the k largest, in ascending
// order (usize); of equal counts the first ones count as larger. Releases this set, or an empty
// one: with Z discrete Laplace noise of the given scale,
//
//   gap = k-th largest count - next one,  distance = max(0, ceil(gap / 2) - 1),
//   the set if distance + Z >= threshold.
//
// Privacy: let each count move by at most d. The distance moves by at most d, which costs d / scale
// for whether there is an answer. If both sets are equal, that is all. If they differ, then some
// count was above another by at least the gap, and no longer is, so the gap is at most 2 d and the
// distance at most d - 1, on both sides. An answer then reveals its side, with a probability of at
// most P[Z >= threshold - (d - 1)] (laplace_tail()), which is delta.
//
// Source: Dwork and Roth (2014), section 7.3; Smith and Thakurta (2013), "Differentially Private
// Feature Selection via Stability Arguments".
//
// From LInfDistance<i64>, to Approximate(MaxDivergence). Throws make_measurement for a domain
// without a size above k, a scale that is not positive and finite, or k = 0; `type` for other
// domains and metrics. The map throws failed_map for a negative distance, or one above the
// threshold.
Measurement make_stable_top_k(const Domain& input_domain,
                              const Metric& input_metric,
                              std::uint64_t k,
                              double scale,
                              std::int64_t threshold);

}  // namespace dp
