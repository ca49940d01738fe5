// The number of successes before the first failure of Bernoulli(exp(-x)).
#pragma once

#include "core/numeric/integer.h"
#include "core/random/bit_source.h"

namespace dp {

// P[G = g] = (1 - exp(-x)) exp(-g x) for g = 0, 1, ...; x >= 0 a rational. At x = 0, where no such
// law exists, returns 0. Throws if x is negative.
//
// With x = n / d: U uniform on 0 .. d-1, kept with probability exp(-U / d), and V geometric at 1
// make U + d V geometric at 1 / d; dividing by n thins it out. The time depends on the length of n
// and d, not on x. Source: Canonne, Kamath, Steinke (2020), Algorithm 2.
Integer geometric(const Rational& x, BitSource& bits);

// geometric() at x = n / d, which need not be in lowest terms; n >= 0, d > 0.
Integer geometric(const Integer& n, const Integer& d, BitSource& bits);

}  // namespace dp
