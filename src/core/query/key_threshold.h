// Which groups are released where their keys are not public: those whose noisy number of rows, or
// of people, is at least a threshold.
//
// A group that only one of two neighbours has gives that one away by being released. It has s rows
// (or people), all of them of the neighbours' difference, and is released with probability
// P[Z >= threshold - s]. With s_1 .. s_k such groups, k <= l0, s_g <= li, sum s_g <= l1, the
// probability that none is released is at least prod (1 - P[Z >= T - s_g]), and delta is what it
// lacks of 1. -ln of each factor grows with s_g and is convex in it, as is the tail of integer
// noise that has its mode at 0 (T >= li is asked for). So for each k it is largest where all s_g
// are li or 1 but for one (the argument of norms.h). What both have loses what noise does.
//
// delta is never above any_of(P[Z >= T - li], l0), of which this takes the lesser.
// Source: Korolova, Kenthapadi, Mishra and Ntoulas (2009), "Releasing Search Queries and Clicks
// Privately".
#pragma once

#include "core/query/contributions.h"
#include "core/query/noise_law.h"

namespace dp::query {

// Rounded up; 1 if the threshold is below li.
double threshold_delta(const NoiseLaw& law, const Triple& triple, const Integer& threshold);

// As if every group that may change had li rows: the plain bound.
double plain_threshold_delta(const NoiseLaw& law, const Triple& triple, const Integer& threshold);

// The least whole number from 1 on at which delta is at most that. Throws keys if delta is 0, and
// budget if there is none below 2^53.
Integer threshold_for_delta(const NoiseLaw& law, const Triple& triple, Delta delta);

}  // namespace dp::query
