// Composition by privacy-loss distributions: tight deltas for hundreds of releases.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/measurements/measurement.h"
#include "core/measures/privacy_profile.h"

namespace dp {

struct RepeatedMeasurement {
  Measurement measurement;
  std::uint64_t times;
};

// The privacy profile of all releases together, from one dataset, on any two datasets at most
// `d_in` apart; later releases may depend on earlier ones. Their measures may differ, and their
// domains: each may take a part of the data of its own, as long as `d_in` means the same for all:
// neighbours are within it for every one.
//
// Each measurement stands for the pair of loss_pairs(), put on a grid of multiples of a step
// (measures/loss_grid.h) and composed by tilted Fourier transforms
// (accounting/tilted_composition.h). Masses, losses, truncated tails and rounding errors of the
// transform are all counted as more loss: delta is nowhere below that of the pairs. It is above it
// by an error of second order in the step.
//
// What has few atoms is added up first, without a grid (accounting/atom_sums.h), and if that is all
// there is, delta is above that of the pairs by rounding alone. All that is known by rho alone is
// added up before a profile is made of it (measures/concentrated_law.h).
//
// `step` is rounded down to a power of two; by default it is a small part of the standard deviation
// of the loss. Any step is right, a large one less tight.
//
// Throws failed_function if there are no measurements; metric_mismatch unless they have one metric;
// `type` for a measure that has no loss distribution; invalid_distance for a step that is not
// positive and finite, or too small; make_measurement for an amplified measurement (composable.h);
// what the maps throw. Measurements that draw a sample of their own
// (combinators/drawn_sample.h) are composed here, each direction by itself.
PrivacyProfile compose_pld(const std::vector<RepeatedMeasurement>& measurements,
                           const Distance& d_in,
                           std::optional<double> step = std::nullopt);

// compose_pld() of loss pairs.
PrivacyProfile compose_loss_pairs(const std::vector<LossPair>& pairs,
                                  std::optional<double> step = std::nullopt);

// A pair of one law that dominates one draw of `pair` in both directions, `times` as often: that of
// the larger delta at each epsilon, or the pair itself if its directions are the same.
LossPair symmetric_pair(const LossPair& pair);

}  // namespace dp
