// Dominating pairs that represent a measurement when privacy-loss distributions are composed.
#pragma once

#include <vector>

#include "core/measurements/measurement.h"

namespace dp {

// The measurement's own loss laws (Measurement::loss_map) at `d_in`. Without them, the worst pair
// that its privacy map at `d_in` allows:
//
//   epsilon      approximate_dp_pair()
//   a profile    profile_loss_pair()
//   rho          concentrated_pair(), so that several can be added up first
//
// The approximate forms of these also have a pair for delta: with probability delta everything is
// lost, otherwise nothing. A release that fails with probability delta, and otherwise satisfies the
// inner measure, is a postprocessing of both together.
//
// Throws `type` for Renyi curves and user-defined divergences, which have no known pair, and the
// errors of the maps.
std::vector<LossPair> loss_pairs(const Measurement& measurement, const Distance& d_in);

}  // namespace dp
