// Losses that are promised before they are spent.
#pragma once

#include "core/measures/measure.h"
#include "core/metrics/distance.h"

namespace dp {

// Throws unless `budget` is a loss in `measure` that others can be compared with, which may be
// infinite: `type` for measures that do not compose and for Renyi curves, failed_map for a number
// that is negative or NaN, failed_cast for what is no loss in `measure`.
void check_budget(const Measure& measure, const Distance& budget);

// Whether `loss` is at most `budget` in every part. What cannot be compared is not: NaN, and pairs
// that are smaller in one part and larger in the other, which at_most() refuses to compare.
bool is_within(const Distance& loss, const Distance& budget);

// Whether losses in `measure` add up only if the releases that answer queries are used one after
// the other: approximate zero-concentrated divergence, for which nothing is proved about
// interleaving. The others allow it. Source: Lyu (2022), "Composition Theorems for Interactive
// Differential Privacy"; Haney, Shoemate, Tian, Vadhan, Vyrros, Xu and Zhang (2023), "Concurrent
// Composition for Interactive Differential Privacy with Adaptive Privacy-Loss Parameters".
bool is_sequential(const Measure& measure);

}  // namespace dp
