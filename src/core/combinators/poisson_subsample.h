// A release from a secret random sample of the rows.
#pragma once

#include "core/measurements/measurement.h"

namespace dp {

// Draws a sample and releases `measurement` on it. Each row is in the sample with probability
// exactly `rate`, a double q in (0, 1], independently of the others. One coin of the secure source
// for each row, in constant time (random/constant_time_bernoulli.h); each release draws a new
// sample. Rows keep their order.
//
// Rows come from a data frame, or from a vector whose number of rows is private, because a sample
// has a random number. d_in counts added or removed rows.
//
// Privacy: drawn_sample.h, with h(c) = 1 - (1 - q)^c. One row loses ln(1 + q (e^epsilon - 1)) under
// MaxDivergence. The laws of the loss are subsampled_pair() (measures/subsampled_law.h), separately
// in each direction. At a rate of 1 the laws do not change.
//
// Datasets that differ only in order are at distance 0 under the symmetric distance, and these
// proofs identify them: the map throws failed_map if `measurement` loses anything there.
//
// Throws make_measurement for a rate out of range, a public number of rows, and a measurement that
// is not composable; `type` for a metric other than symmetric and insert-delete distances, and for
// Renyi and user-defined divergences.
Measurement make_poisson_subsample(const Measurement& measurement, double rate);

}  // namespace dp
