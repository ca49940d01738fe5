// A release from a secret random sample of fixed size.
#pragma once

#include <cstdint>

#include "core/measurements/measurement.h"

namespace dp {

// Draws `size` = m of `population` = N rows, without replacement, in random order: every sequence
// of m different rows is equally likely. Releases `measurement` on them. They are the first m
// positions of a uniformly random order of all rows (transformations/rows/gather.h), from the
// secure source; each release draws a new sample. The rows read and the running time depend only on
// m and N.
//
// Both numbers are public: `measurement` takes vectors of m rows, and the result takes vectors of
// N. d_in counts replaced rows.
//
// Privacy: drawn_sample.h, with h(c) = 1 - (1 - m/N) (1 - m/(N-1)) ... (sampled_loss.h). One row
// loses ln(1 + m/N (e^epsilon - 1)) under MaxDivergence. The laws of the loss are replaced_pair()
// (measures/subsampled_law.h), with m/N rounded up. If the sample is all of the data, the laws do
// not change.
//
// The proofs there treat a sample as a sequence. One position changes if its row changes, or if a
// different row is drawn for it: a distance of 1 under the Hamming distance, and so under the
// change-one distance. They also hold for reordered datasets: a random order of a reordered dataset
// has the law of a random order of the dataset, and datasets at change-one distance c can be
// reordered so that c rows differ, in place.
//
// Throws make_measurement unless 1 <= `size` <= `population`, if `measurement` takes vectors of a
// different size, and for one that is not composable; failed_cast for a domain other than vectors
// of atoms or options; `type` for a metric other than change-one and Hamming distances, and for
// Renyi and user-defined divergences.
Measurement make_subsample_without_replacement(const Measurement& measurement,
                                               std::uint64_t size,
                                               std::uint64_t population);

}  // namespace dp
