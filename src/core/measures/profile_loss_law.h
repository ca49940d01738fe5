// The loss law of what is known only by its privacy profile.
#pragma once

#include "core/measures/loss_law.h"
#include "core/measures/privacy_profile.h"

namespace dp {

// A pair that dominates every pair for which `profile` holds, whichever of two datasets comes
// first: for epsilon < 0 then
//
//   delta(epsilon) = 1 - exp(epsilon) + exp(epsilon) delta(-epsilon).
//
// Such curves are convex in exp(epsilon), so the lower hull of finitely many points of it is above
// it, and its changes of slope are the masses of a law. What the profile does not get below, or not
// by an epsilon of 600, is lost altogether.
// Source: Zhu, Dong and Wang (2022), "Optimal Accounting of Differential Privacy via Characteristic
// Function", for the pair of a profile.
LossPair profile_loss_pair(const PrivacyProfile& profile);

}  // namespace dp
