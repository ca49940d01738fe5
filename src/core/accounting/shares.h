// One loss, shared out among releases from the same data.
#pragma once

#include <vector>

#include "core/numeric/parameters.h"

namespace dp {

// Losses in proportion to `weights` whose sum, by compose() in their order, is at most `budget`,
// and below it by little more than the rounding of that sum.
//
// With W the sum of all weights share i is budget w_i / W in exact arithmetic, rounded down, so the
// exact sum is within the budget. That of compose() is rounded up at each step: if it exceeds, all
// shares are made less by a factor of 1 - m 2^-53, m doubled until it does not. A single release
// gets all of the budget, and equal weights have equal shares.
//
// Throws invalid_distance unless the budget and all weights are positive and finite, and there is
// one, or if a share is so small that it is 0.
std::vector<double> share_epsilon(Epsilon budget, const std::vector<double>& weights);

}  // namespace dp
