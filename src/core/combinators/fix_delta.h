// One point of a privacy profile.
#pragma once

#include "core/measurements/measurement.h"
#include "core/numeric/parameters.h"

namespace dp {

// Makes the same release under Approximate(MaxDivergence), at a fixed `delta`:
//
//   SmoothedMaxDivergence                 (profile.epsilon(delta), delta)
//   Approximate(SmoothedMaxDivergence)    (profile.epsilon(delta - fixed), delta), the difference
//                                         rounded down, where (profile, fixed) is the inner loss
//
// Throws `type` for any other measure. The map throws failed_map if `delta` is below the fixed one.
Measurement make_fix_delta(const Measurement& measurement, Delta delta);

}  // namespace dp
