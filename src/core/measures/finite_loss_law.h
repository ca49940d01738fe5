// Loss laws of mechanisms with few outcomes.
#pragma once

#include <vector>

#include "core/measures/loss_law.h"
#include "core/numeric/integer.h"
#include "core/numeric/parameters.h"

namespace dp {

// An outcome's probabilities under P and Q, or those of several outcomes of the same ratio.
struct OutcomePair {
  Rational p;
  Rational q;
};

// The pair of laws itself. Probabilities are not negative; their sums are the caller's to keep at
// 1, or above.
LossPair finite_loss_pair(const std::vector<OutcomePair>& outcomes, std::uint64_t times = 1);

// What dominates everything that is (epsilon, delta)-differentially private: with probability delta
// all is lost, otherwise it is randomized response.
// The odds of the truth are exp(epsilon) : 1.
// Source: Kairouz, Oh and Viswanath (2015), "The Composition Theorem for Differential Privacy".
LossPair approximate_dp_pair(Epsilon epsilon, Delta delta);

// The law of a list of atoms, which stands for all that lies at or below them.
LossLawPtr law_of_atoms(const std::vector<LossAtom>& atoms);

// No protection at all.
LossPair total_loss_pair();

}  // namespace dp
