// Releases from random samples that the release itself draws.
#pragma once

#include <functional>

#include "core/combinators/sampled_loss.h"
#include "core/measurements/composable.h"
#include "core/measurements/measurement.h"

namespace dp {

// How samples are drawn, and the effect on the loss.
struct DrawnSample {
  Function draw;      // from whole data to a secret sample
  Sampling sampling;  // of unit 1

  // The pair for one changed row, from the law of releases on samples that differ in one row, in
  // either order. Empty if every sample is all of the data.
  std::function<LossPair(const LossLaw& inner)> pair_of_one;

  // Whether the proofs identify datasets that differ only in order: then the maps throw failed_map
  // if `measurement` loses anything at a distance of 0.
  bool ignores_order;
};

// Draws a new sample of data in `input_domain` for each release, and releases `measurement` on it.
// The metric stays; d_in counts changed rows.
//
// Privacy: sampled_map() under MaxDivergence and its approximate form. Under zero-concentrated
// divergence, privacy profiles and their approximate forms the new measure is the profile,
// sampled_profile() of the profile of the laws of `measurement`.
//
// The laws of the loss are tighter under composition. For one row: pair_of_one of the law of
// `measurement`. If it has several laws (a composition), or two directions, it is first replaced by
// the pair of their joint profile. For several rows: the pair of the profile.
//
// The map holds for any two neighbours, and is marked (privacy_map.h): compose_pld() takes it,
// compositors do not (composable.h).
//
// Throws `type` for Renyi and user-defined divergences.
Measurement make_drawn_sample(const Composable& measurement,
                              Domain input_domain,
                              DrawnSample sample);

}  // namespace dp
