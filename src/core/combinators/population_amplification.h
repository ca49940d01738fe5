// The privacy that comes from the data being a secret sample.
#pragma once

#include <cstdint>

#include "core/measurements/measurement.h"

namespace dp {

// Makes the same release, with a map on populations of `population_size` = N records, of which the
// data are a simple random sample of n, drawn without replacement. Nothing is sampled here: the
// caller states that it holds, keeps the sample secret and amplifies it once. The map is marked
// (privacy_map.h), and so is that of every measurement built on it, so that no compositor takes it
// (composable.h): two releases are amplified by amplifying their composition.
//
// Privacy, for c changed records of the population (c = d_in for distances that count changes,
// floor(d_in / 2) for those that count additions and removals):
//
//   epsilon' = ln(1 + h(c) (exp(epsilon(d_in)) - 1)),  delta' = h(c) delta(d_in)
//
// where h(c) = 1 - (1 - n/N) (1 - n/(N-1)) ... is the probability that the sample has a changed
// record. Source: Balle, Barthe and Gaboardi (2018), "Privacy Amplification by Subsampling: Tight
// Analyses via Couplings and Divergences", Theorem 9, whose proof needs of the changed records only
// that they are in both samples or in neither.
//
// and never more than epsilon(d_in). Group privacy is another bound: with (a, b) the (epsilon',
// delta') of one changed record, the loss of c of them is
//
//   epsilon' = c a,  delta' = b (1 + e^a + ... + e^((c - 1) a)).
//
// Proof: populations X_0, ..., X_c of N records, each with one record changed from the one before,
// lead from one to the other. P[X_0] <= e^a P[X_1] + b for every event, and with what is known of
// X_1, ..., X_c, P[X_1] <= e^((c - 1) a) P[X_c] + b (1 + ... + e^((c - 2) a)), it follows by
// induction. Both bounds hold, each as a pair; the second one is given where it is at most the
// first in both parts, else the first. (The reference applies the formula for one record, h(1), to
// any number of them, which is too little if the inner map is flat.)
//
// Throws make_measurement unless `input_domain` is a vector of known size that is at most
// `population_size`, and if the measurement is amplified already; `type` for a metric that is no
// distance between datasets, and for a measure other than MaxDivergence and its approximate form.
Measurement make_population_amplification(const Measurement& measurement,
                                          std::uint64_t population_size);

}  // namespace dp
