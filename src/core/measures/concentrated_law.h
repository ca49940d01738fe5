// What stands for releases of which only rho is known.
#pragma once

#include <vector>

#include "core/measures/loss_law.h"
#include "core/numeric/parameters.h"

namespace dp {

// A pair that dominates whatever loses at most `rho`: that of the profile cdp_delta(rho).
LossPair concentrated_pair(Rho rho);

// `pairs`, of which all of the above kind become one, of the sum of their rho, rounded up: a
// profile of the sum is less than the sum of profiles.
std::vector<LossPair> with_one_rho(const std::vector<LossPair>& pairs);

}  // namespace dp
