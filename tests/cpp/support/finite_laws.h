// Laws on finitely many outcomes: their divergences from the definitions, and how draws fit them.
#pragma once

#include <vector>

#include "support/exact_laws.h"

namespace dp::test {

// The probability of each outcome.
using FiniteLaw = std::vector<Wide>;

// max over events S of ln(P[S] / Q[S]): the largest log-ratio of an outcome. Infinite (1e9) if an
// outcome of P is none of Q.
Wide max_divergence_of(const FiniteLaw& p, const FiniteLaw& q);

// D_alpha(P, Q) for alpha > 1.
Wide renyi_divergence_of(const FiniteLaw& p, const FiniteLaw& q, const Wide& alpha);

// max over events S of P[S] - exp(epsilon) Q[S].
Wide hockey_stick_of(const FiniteLaw& p, const FiniteLaw& q, const Wide& epsilon);

// The largest D_alpha / alpha over orders from near 1 to far out: a lower bound on rho.
Wide least_rho_of(const FiniteLaw& p, const FiniteLaw& q);

// The probability of a worse fit of so many draws per outcome, by chi-square. Outcomes that the law
// excludes must not have been drawn; fewer than 5 expected draws join the bin of the rare ones. If
// fewer than 5 are expected of that, the probability that it has as many, if less.
double fit(const std::vector<double>& counts, const FiniteLaw& law);

}  // namespace dp::test
