// Privacy amplification if the data are a secret sample.
#pragma once

#include <cstdint>

#include "core/measurements/measurement.h"

namespace dp {

// Makes the same release, with a map on populations of `population_size` = N records. The data are
// a simple random sample of n of these, drawn without replacement. Nothing is sampled here: the
// user promises that this holds, keeps the sample secret and amplifies it once. The map is marked
// (privacy_map.h), and so is the map of every measurement built on it, so that no compositor takes
// it (composable.h). To amplify two releases, amplify their composition.
//
// Privacy: sampled_loss.h, for c changed records of the population (c = d_in for distances that
// count changes, floor(d_in / 2) for distances that count additions and removals) and h(c) = 1 - (1
// - n/N) (1 - n/(N-1)) ..., the probability that the sample has a changed record.
//
// Source: Balle, Barthe and Gaboardi (2018), "Privacy Amplification by Subsampling: Tight Analyses
// via Couplings and Divergences", Theorem 9. (The reference applies the formula for one record,
// h(1), to any number of them, which is too little if the inner map is flat.)
//
// Throws make_measurement unless `input_domain` is a vector of known size that is at most
// `population_size`, and if the measurement is already amplified; `type` for a metric that is not a
// distance between datasets, and for a measure other than MaxDivergence and its approximate form.
Measurement make_population_amplification(const Measurement& measurement,
                                          std::uint64_t population_size);

}  // namespace dp
