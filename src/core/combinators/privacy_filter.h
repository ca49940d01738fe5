// An odometer with a hard limit, which makes it a measurement.
#pragma once

#include "core/combinators/odometer.h"
#include "core/measurements/measurement.h"

namespace dp {

// Releases an odometer queryable that answers while the loss at `d_in`, including the new query, is
// at most `d_out`. A query that would exceed it is rejected before it touches the data, and ends
// the dialogue: from then on every query throws, even for the loss. A pair of losses that is larger
// in one part exceeds.
//
// An infinite `d_out` is no limit: the queryable is the odometer's, and the map is trivial.
//
// Map: `d_out` at any distance up to `d_in` (fixed_loss_map.h). Source: as for the odometer.
//
// Throws as check_budget() does for `d_out` (accounting/budget.h).
Measurement make_privacy_filter(const Odometer& odometer,
                                const Distance& d_in,
                                const Distance& d_out);

}  // namespace dp
