// Loss laws of releases with only a known rho.
#pragma once

#include <vector>

#include "core/measures/loss_law.h"
#include "core/numeric/parameters.h"

namespace dp {

// A pair that dominates every release that loses at most `rho`: the pair of the profile
// cdp_delta(rho).
LossPair concentrated_pair(Rho rho);

// Merges all pairs of the above kind into one pair of the sum of their rho, rounded up: a profile
// of the sum is less than the sum of profiles.
std::vector<LossPair> with_one_rho(const std::vector<LossPair>& pairs);

}  // namespace dp
