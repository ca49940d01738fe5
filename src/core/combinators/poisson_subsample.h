// A release from a random sample of the rows, which nobody sees.
#pragma once

#include "core/measurements/measurement.h"

namespace dp {

// Draws a sample, in which each row is with probability exactly `rate`, a double q in (0, 1],
// independently of the others, and makes the release of `measurement` from it. One coin of the
// secure source for each row, in constant time (random/constant_time_bernoulli.h); each release
// draws anew. Rows keep their order.
//
// Rows are those of a vector whose number is not public, since that of a sample is random, or of a
// data frame; d_in counts rows that were added or removed.
//
// Privacy, under MaxDivergence and its approximate form: sampled_loss.h, with h(c) = 1 - (1 - q)^c.
// For one row that is ln(1 + q (e^epsilon - 1)). Under zero-concentrated divergence, privacy
// profiles and their approximate forms the new measure is the profile of the laws of the loss.
//
// The laws, for one row: subsampled_pair() (measures/subsampled_law.h) of the law of `measurement`,
// each direction by itself. Where that is several laws (a composition), or has two directions, it
// is first replaced by the one of the profile of all together. For several rows: the pair of
// sampled_profile(). At a rate of 1 they stay what they are.
//
// Datasets in another order are at distance 0 under the symmetric distance, and these proofs take
// them for one: the map throws failed_map if `measurement` loses anything there.
//
// The map holds for any two neighbours, and is marked (privacy_map.h): compose_pld() takes it,
// compositors do not (composable.h).
//
// Throws make_measurement for a rate out of range, a public number of rows, and a measurement that
// is not composable; `type` for a metric other than symmetric and insert-delete distances, and for
// Renyi and users' divergences.
Measurement make_poisson_subsample(const Measurement& measurement, double rate);

}  // namespace dp
