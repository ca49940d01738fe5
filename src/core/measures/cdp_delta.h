// From zero-concentrated to approximate differential privacy.
#pragma once

#include "core/numeric/parameters.h"

namespace dp {

// A delta such that whatever loses at most `rho` is (epsilon, delta)-differentially private, in
// [0, 1], close to the least that follows from rho alone:
//
//   delta = inf over alpha > 1 of exp((alpha - 1)(alpha rho - epsilon) + alpha ln(1 - 1/alpha))
//                                 / (alpha - 1).
//
// Every alpha gives a valid delta, so the search for a good one is in ordinary floating point; only
// the last evaluation, order_delta() (renyi.h), is directed.
// Source: Canonne, Kamath and Steinke (2020), Proposition 7.
double cdp_delta(Rho rho, Epsilon epsilon);

// rho + 2 sqrt(rho ln(1 / delta)), rounded up: an epsilon whose delta is at most `delta`, not the
// least one. Infinite at a delta of 0, unless rho is 0.
//
// Source: Bun and Steinke (2016), Proposition 1.3.
double closed_form_cdp_epsilon(Rho rho, Delta delta);

}  // namespace dp
