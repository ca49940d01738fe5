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
// `d_in` apart. Later releases may depend on earlier ones. Measures and domains may differ: each
// measurement may take a different part of the data if `d_in` means the same for all, so that
// neighbours are within `d_in` for every measurement.
//
// Each measurement is replaced by its loss_pairs(), put on a grid of multiples of a step
// (measures/loss_grid.h) and composed by tilted Fourier transforms
// (accounting/tilted_composition.h). Rounding of masses and losses, truncated tails and errors of
// the transform all count as more loss. So delta is never below the delta of the pairs. It is above
// it by an error of second order in the step.
//
// Laws with few atoms are added up first, without a grid (accounting/atom_sums.h). If there are no
// others, delta exceeds the delta of the pairs only by rounding. Releases that are known only by
// rho are added up before their profile is made (measures/concentrated_law.h).
//
// `step` is rounded down to a power of two; by default it is a small part of the standard deviation
// of the loss. Every step is valid, but a large one is less tight.
//
// Throws failed_function if there are no measurements; metric_mismatch unless they have one metric;
// `type` for a measure without a loss distribution; invalid_distance for a step that is not
// positive and finite, or too small; make_measurement for an amplified measurement (composable.h);
// and the errors of the maps. Measurements that draw their own sample (combinators/drawn_sample.h)
// are composed in each direction separately.
PrivacyProfile compose_pld(const std::vector<RepeatedMeasurement>& measurements,
                           const Distance& d_in,
                           std::optional<double> step = std::nullopt);

// compose_pld() of loss pairs.
PrivacyProfile compose_loss_pairs(const std::vector<LossPair>& pairs,
                                  std::optional<double> step = std::nullopt);

// A pair of one law that dominates one draw of `pair` in both directions, repeated `times` times:
// the law with the larger delta at each epsilon, or the pair if its directions are equal.
LossPair symmetric_pair(const LossPair& pair);

}  // namespace dp
