// Splits one loss among releases from the same data.
#pragma once

#include <vector>

#include "core/numeric/parameters.h"

namespace dp {

// Losses in proportion to `weights` whose sum, by compose() in their order, is at most `budget`,
// and below it by little more than the rounding of that sum.
//
// With W the sum of all weights, share i is budget w_i / W in exact arithmetic, rounded down, so
// the exact sum is within the budget. compose() rounds its sum up at each step. If that exceeds the
// budget, all shares shrink by a factor of 1 - m 2^-53, and m doubles until they fit. A single
// release gets all of the budget, and equal weights have equal shares.
//
// Throws invalid_distance unless there are weights, and the budget and all weights are positive and
// finite. Also throws it if a share rounds to 0.
std::vector<double> share_epsilon(Epsilon budget, const std::vector<double>& weights);

}  // namespace dp
