// What stands for a measurement when privacy-loss distributions are composed.
#pragma once

#include <vector>

#include "core/measurements/measurement.h"

namespace dp {

// The measurement's own loss laws (Measurement::loss_map) at `d_in`; where it has none, the worst
// pair that its privacy map at `d_in` leaves room for:
//
//   epsilon      approximate_dp_pair()
//   a profile    profile_loss_pair()
//   rho          concentrated_pair(), so that several can be added up first
//
// and, beside it, that of delta under the approximate form of these: with probability delta all is
// lost, else nothing. What fails with probability delta, and else is of the inner measure, is a
// postprocessing of both together.
//
// Throws `type` for Renyi curves and users' divergences, of which no pair is known, and what the
// maps throw.
std::vector<LossPair> loss_pairs(const Measurement& measurement, const Distance& d_in);

}  // namespace dp
