// Releases from random samples that the release itself draws.
#pragma once

#include <functional>

#include "core/combinators/sampled_loss.h"
#include "core/measurements/composable.h"
#include "core/measurements/measurement.h"

namespace dp {

// How samples are drawn, and what that makes of the loss.
struct DrawnSample {
  Function draw;      // from whole data to a sample, which nobody sees
  Sampling sampling;  // of unit 1

  // The pair of one changed row, from the law of releases on samples that differ in one row,
  // whichever of them comes first. Empty if every sample is all of the data.
  std::function<LossPair(const LossLaw& inner)> pair_of_one;

  // Whether the proofs take datasets in another order for one: then the maps throw failed_map if
  // `measurement` loses anything at a distance of 0.
  bool ignores_order;
};

// Draws a sample of data in `input_domain`, anew for each release, and makes the release of
// `measurement` from it. The metric stays; d_in counts changed rows.
//
// Privacy, under MaxDivergence and its approximate form: sampled_map(). Under zero-concentrated
// divergence, privacy profiles and their approximate forms the new measure is the profile,
// sampled_profile() of that of the laws of `measurement`.
//
// Laws of the loss, which say more of compositions: for one row, pair_of_one of the law of
// `measurement`. Where that is several laws (a composition), or has two directions, it is first
// replaced by the one of the profile of all together. For several rows: the pair of the profile.
//
// The map holds for any two neighbours, and is marked (privacy_map.h): compose_pld() takes it,
// compositors do not (composable.h).
//
// Throws `type` for Renyi and users' divergences.
Measurement make_drawn_sample(const Composable& measurement,
                              Domain input_domain,
                              DrawnSample sample);

}  // namespace dp
