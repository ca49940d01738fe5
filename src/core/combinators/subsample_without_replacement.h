// A release from a random sample of fixed size, which nobody sees.
#pragma once

#include <cstdint>

#include "core/measurements/measurement.h"

namespace dp {

// Draws `size` = m of `population` = N rows, without replacement, in random order: every sequence
// of m different rows is equally likely. Makes the release of `measurement` from them. They are the
// first m places of a uniformly random order of all rows (transformations/rows/gather.h), from the
// secure source; each release draws anew. What is read and how long it takes depends on m and N.
//
// Both numbers are public: `measurement` takes vectors of m rows, and what is made vectors of N.
// d_in counts rows that were replaced.
//
// Privacy: drawn_sample.h, with h(c) = 1 - (1 - m/N) (1 - m/(N-1)) ... (sampled_loss.h). For one
// row that is ln(1 + m/N (e^epsilon - 1)) under MaxDivergence, and as laws of the loss
// replaced_pair() (measures/subsampled_law.h), with m/N rounded up. If the sample is all of the
// data, laws stay what they are.
//
// The proofs there take a sample for a sequence, of which one place changes where a row changes, or
// where a drawn row gives its place to another one: that is a distance of 1 under the Hamming
// distance, and so under the change-one distance. They hold for datasets in another order, too: a
// random order of a reordered dataset has the law of one of the dataset itself, and datasets at
// change-one distance c can be put into an order in which c rows differ, in place.
//
// Throws make_measurement unless 1 <= `size` <= `population`, if `measurement` takes vectors of
// another size, and for one that is not composable; failed_cast for a domain other than vectors of
// atoms or options; `type` for a metric other than change-one and Hamming distances, and for Renyi
// and users' divergences.
Measurement make_subsample_without_replacement(const Measurement& measurement,
                                               std::uint64_t size,
                                               std::uint64_t population);

}  // namespace dp
