// The privacy loss of several releases from the same data.
#pragma once

#include <vector>

#include "core/measures/measure.h"
#include "core/metrics/distance.h"

namespace dp {

// Throws `type` unless losses in `measure` compose: MaxDivergence, ZeroConcentratedDivergence, the
// approximate forms of both, and RenyiDivergence. A smoothed divergence must be brought to one
// (epsilon, delta) first.
void check_composable(const Measure& measure);

// The loss of all releases together: the sum, from left to right and rounded up. Pairs add part by
// part, Renyi curves at each alpha. No losses compose to zero. The sum holds even if later releases
// are chosen adaptively.
//
// Source: Dwork and Roth (2014), Theorem 3.14 and B.1; Bun and Steinke (2016), Lemmas 1.7 and 8.3;
// Mironov (2017), Proposition 1.
//
// Throws overflow if the sum is not finite, failed_map if a loss is negative.
Distance compose(const Measure& measure, const std::vector<Distance>& losses);

}  // namespace dp
