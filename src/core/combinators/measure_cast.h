// Casts of a measurement to a different privacy measure.
//
// Each keeps domain, metric and function, converts the map, and throws `type` for a measure that is
// not listed.
#pragma once

#include "core/measurements/measurement.h"

namespace dp {

// MaxDivergence, ZeroConcentratedDivergence or a user-defined divergence to its approximate form: d
// to (d, 0).
Measurement make_approximate(const Measurement& measurement);

// MaxDivergence to ZeroConcentratedDivergence: rho = epsilon^2 / 2.
// Source: Bun and Steinke (2016), Proposition 1.4. The map throws overflow for an infinite epsilon.
Measurement make_pureDP_to_zCDP(const Measurement& measurement);

// Approximate(MaxDivergence) to SmoothedMaxDivergence: delta(x) is the fixed delta from the fixed
// epsilon on, and 1 below it.
Measurement make_fixed_approxDP_to_approxDP(const Measurement& measurement);

// ZeroConcentratedDivergence to SmoothedMaxDivergence: delta(x) = cdp_delta(rho, x)
// (accounting/cdp_delta.h). The approximate form becomes the approximate form, with the same fixed
// delta.
Measurement make_zCDP_to_approxDP(const Measurement& measurement);

// MaxDivergence to RenyiDivergence: pure_renyi() (measures/renyi.h) at each order.
// ZeroConcentratedDivergence to RenyiDivergence: alpha rho.
//
// A curve is less informative than a law of the loss. If `measurement` has no law, the cast keeps
// its loss_pairs(), so that compose_pld() gives the same result before and after the cast. The
// curve throws invalid_distance for an order that is not above 1.
Measurement make_pureDP_to_RDP(const Measurement& measurement);
Measurement make_zCDP_to_RDP(const Measurement& measurement);

// RenyiDivergence to SmoothedMaxDivergence: delta(x) = renyi_delta(curve, x) (measures/renyi.h).
Measurement make_RDP_to_approxDP(const Measurement& measurement);

}  // namespace dp
