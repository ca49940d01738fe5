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
// `d_in` apart; later releases may depend on earlier ones. Their measures may differ.
//
// Each measurement stands for the pair of loss_pairs(), put on a grid of multiples of a step
// (measures/loss_grid.h) and composed by tilted Fourier transforms
// (accounting/tilted_composition.h). Masses, losses, truncated tails and rounding errors of the
// transform are all counted as more loss: delta is nowhere below that of the pairs. It is above it
// by an error of second order in the step.
//
// `step` is rounded down to a power of two; by default it is a small part of the standard deviation
// of the loss. Any step is right, a large one less tight.
//
// Throws failed_function if there are no measurements; domain_mismatch and metric_mismatch unless
// all take the same data; `type` for a measure that has no loss distribution; invalid_distance for
// a step that is not positive and finite, or too small; what the maps throw.
PrivacyProfile compose_pld(const std::vector<RepeatedMeasurement>& measurements,
                           const Distance& d_in,
                           std::optional<double> step = std::nullopt);

// The same for pairs.
PrivacyProfile compose_loss_pairs(const std::vector<LossPair>& pairs,
                                  std::optional<double> step = std::nullopt);

}  // namespace dp
