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
// Privacy: drawn_sample.h, with h(c) = 1 - (1 - q)^c. For one row that is ln(1 + q (e^epsilon - 1))
// under MaxDivergence, and as laws of the loss subsampled_pair() (measures/subsampled_law.h), each
// direction by itself. At a rate of 1 laws stay what they are.
//
// Datasets in another order are at distance 0 under the symmetric distance, and these proofs take
// them for one: the map throws failed_map if `measurement` loses anything there.
//
// Throws make_measurement for a rate out of range, a public number of rows, and a measurement that
// is not composable; `type` for a metric other than symmetric and insert-delete distances, and for
// Renyi and users' divergences.
Measurement make_poisson_subsample(const Measurement& measurement, double rate);

}  // namespace dp
