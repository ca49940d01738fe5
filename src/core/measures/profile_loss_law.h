// The loss law of a release that is known only by its privacy profile.
#pragma once

#include "core/measures/loss_law.h"
#include "core/measures/privacy_profile.h"

namespace dp {

// A pair that dominates every pair that satisfies `profile` in both directions. For epsilon < 0
// then
//
//   delta(epsilon) = 1 - exp(epsilon) + exp(epsilon) delta(-epsilon).
//
// Such curves are convex in exp(epsilon), so the lower hull of finitely many of its points is above
// the curve, and its changes of slope are the masses of a law. Mass that the profile does not
// exclude by an epsilon of 600 counts as lost.
//
// Source: Zhu, Dong and Wang (2022), "Optimal Accounting of Differential Privacy via Characteristic
// Function", for the pair of a profile.
LossPair profile_loss_pair(const PrivacyProfile& profile);

}  // namespace dp
