// What stands for a measurement when privacy-loss distributions are composed.
#pragma once

#include <vector>

#include "core/measurements/measurement.h"

namespace dp {

// The measurement's own loss laws (Measurement::loss_map) at `d_in`; where it has none, the worst
// pair that its privacy map at `d_in` leaves room for:
//
//   epsilon, (epsilon, delta)    approximate_dp_pair()
//   a profile, also with delta   profile_loss_pair()
//   rho, also with delta         the same, of cdp_delta()
//
// Throws `type` for Renyi curves and users' divergences, of which no pair is known, and what the
// maps throw.
std::vector<LossPair> loss_pairs(const Measurement& measurement, const Distance& d_in);

}  // namespace dp
