// Laws on finitely many outcomes: their divergences by definition, and the fit of draws.
#pragma once

#include <vector>

#include "support/exact_laws.h"

namespace dp::test {

// The probability of each outcome.
using FiniteLaw = std::vector<Wide>;

// max over events S of ln(P[S] / Q[S]): the largest log-ratio of an outcome. Infinite (1e9) if an
// outcome of P is impossible under Q.
Wide max_divergence_of(const FiniteLaw& p, const FiniteLaw& q);

// D_alpha(P, Q) for alpha > 1.
Wide renyi_divergence_of(const FiniteLaw& p, const FiniteLaw& q, const Wide& alpha);

// max over events S of P[S] - exp(epsilon) Q[S].
Wide hockey_stick_of(const FiniteLaw& p, const FiniteLaw& q, const Wide& epsilon);

// Largest D_alpha / alpha over a wide range of orders: a lower bound on rho.
Wide least_rho_of(const FiniteLaw& p, const FiniteLaw& q);

// Probability of a worse chi-square fit, given the number of draws per outcome. Outcomes that the
// law excludes must have no draws. Outcomes with fewer than 5 expected draws share a bin of rare
// ones. If that bin expects fewer than 5, the result is at most the probability of its number of
// draws.
double fit(const std::vector<double>& counts, const FiniteLaw& law);

}  // namespace dp::test
