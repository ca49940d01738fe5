// Several measurements on the same data, as one.
#pragma once

#include <vector>

#include "core/measurements/measurement.h"

namespace dp {

// Runs every measurement on the same argument, in order; releases a tuple of their releases, in the
// same order. Map: the composition (accounting/compose.h) of the members' maps at d_in.
//
// If the measure composes only in sequence (accounting/budget.h), a queryable that one member
// releases stops answering when the next member starts.
//
// All members must share their input domain, input metric and output measure. Throws
// make_measurement if there are none or one is amplified (composable.h), domain_mismatch, and
// metric_mismatch both for metrics and, as the framework does, for measures; `type` if the measure
// does not compose.
Measurement make_composition(const std::vector<Measurement>& measurements);

}  // namespace dp
