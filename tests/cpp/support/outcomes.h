// Two laws side by side, to 256 bits: releases from a dataset, and from its neighbour.
#pragma once

#include <vector>

#include "support/exact_laws.h"

namespace dp::test {

// An outcome's probability, and that on the neighbour.
struct Outcome {
  Wide p;
  Wide q;
};
using Outcomes = std::vector<Outcome>;

// All outcomes of both laws. Outcomes with equal probabilities are merged.
Outcomes product(const Outcomes& first, const Outcomes& second);

// max over events S of P[S] - exp(epsilon) Q[S].
Wide delta_of(const Outcomes& outcomes, const Wide& epsilon);

// Outcomes of discrete Laplace noise Z against Z + d, d >= 0. All outcomes at or below 0 share one
// ratio, as do all outcomes at or above d.
Outcomes laplace_outcomes(const Wide& scale, long d);

}  // namespace dp::test
