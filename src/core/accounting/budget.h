// Losses that are promised before they are spent.
#pragma once

#include "core/measures/measure.h"
#include "core/metrics/distance.h"

namespace dp {

// Throws unless `budget` is a loss in `measure` that can be compared with others; it may be
// infinite. Throws `type` for measures that do not compose and for Renyi curves, failed_map for a
// number that is negative or NaN, failed_cast for any other value.
void check_budget(const Measure& measure, const Distance& budget);

// Whether `loss` is at most `budget` in every part. False if they cannot be compared: NaN, and
// pairs that are smaller in one part and larger in the other, which at_most() does not compare.
bool is_within(const Distance& loss, const Distance& budget);

// Whether losses in `measure` add up only if interactive releases are used one after the other.
// This holds for approximate zero-concentrated divergence, because no theorem covers interleaving.
// The other measures allow it.
//
// Source: Lyu (2022), "Composition Theorems for Interactive Differential Privacy"; Haney, Shoemate,
// Tian, Vadhan, Vyrros, Xu and Zhang (2023), "Concurrent Composition for Interactive Differential
// Privacy with Adaptive Privacy-Loss Parameters".
bool is_sequential(const Measure& measure);

}  // namespace dp
