// Selects groups whose keys are not public: releases those whose noisy number of rows, or of
// people, is at least a threshold.
//
// Privacy: a group that only one of two neighbours has distinguishes them if it is released. It has
// s rows (or people), all of them in the neighbours' difference, and is released with probability
// P[Z >= threshold - s]. With s_1 .. s_k such groups, k <= l0, s_g <= li, sum s_g <= l1, the
// probability that none is released is at least prod (1 - P[Z >= T - s_g]), and delta is 1 minus
// this product. -ln of each factor grows with s_g and is convex in it, because the tail of integer
// noise with mode 0 is (T >= li is required). So for each k it is largest if all s_g except one are
// li or 1 (the argument of norms.h). For groups that both neighbours have, only the noise
// contributes to the loss.
//
// delta is never above any_of(P[Z >= T - li], l0); the smaller of both bounds is used.
// Source: Korolova, Kenthapadi, Mishra and Ntoulas (2009), "Releasing Search Queries and Clicks
// Privately".
#pragma once

#include "core/query/contributions.h"
#include "core/query/noise_law.h"

namespace dp::query {

// Delta, rounded up; 1 if the threshold is below li.
double threshold_delta(const NoiseLaw& law,
                       const ContributionBound& bound,
                       const Integer& threshold);

// The plain bound of delta: assumes that every group that can change has li rows.
double plain_threshold_delta(const NoiseLaw& law,
                             const ContributionBound& bound,
                             const Integer& threshold);

// The least whole threshold, from 1 on, with at most this delta. Throws keys if delta is 0, and
// budget if there is none below 2^53.
Integer threshold_for_delta(const NoiseLaw& law, const ContributionBound& bound, Delta delta);

}  // namespace dp::query
