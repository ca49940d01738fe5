// An odometer with a hard limit, which makes it a measurement.
#pragma once

#include "core/combinators/odometer.h"
#include "core/measurements/measurement.h"

namespace dp {

// Releases an odometer queryable that answers as long as the loss at `d_in`, the new query
// included, stays at most `d_out`. The query that would exceed it is refused before it touches the
// data, and ends the dialogue: from then on everything is refused, questions for the loss too. A
// pair of losses that is larger in one part exceeds.
//
// An infinite `d_out` is no limit: the queryable is the odometer's, and the map says nothing.
//
// Map: `d_out` at any distance up to `d_in` (promise.h). Source: as for the odometer.
//
// Throws as check_budget() does for `d_out` (accounting/budget.h).
Measurement make_privacy_filter(const Odometer& odometer,
                                const Distance& d_in,
                                const Distance& d_out);

}  // namespace dp
