// Loss laws of mechanisms with few outcomes.
#pragma once

#include <vector>

#include "core/measures/loss_law.h"
#include "core/numeric/integer.h"
#include "core/numeric/parameters.h"

namespace dp {

// Probabilities under P and Q, for one outcome or for all outcomes of one ratio.
struct OutcomePair {
  Rational p;
  Rational q;
};

// The pair of laws itself. Probabilities are not negative; their sums are the caller's to keep at
// 1, or above.
LossPair finite_loss_pair(const std::vector<OutcomePair>& outcomes, std::uint64_t times = 1);

// A pair that dominates all (epsilon, delta)-differentially private releases: with probability
// delta everything is lost, otherwise it is randomized response. The odds of the truth are
// exp(epsilon) : 1.
//
// Source: Kairouz, Oh and Viswanath (2015), "The Composition Theorem for Differential Privacy".
LossPair approximate_dp_pair(Epsilon epsilon, Delta delta);

// The law of a list of atoms. Each represents all losses at or below it, down to the next atom.
LossLawPtr law_of_atoms(const std::vector<LossAtom>& atoms);

// No protection at all.
LossPair total_loss_pair();

}  // namespace dp
