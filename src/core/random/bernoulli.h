// Coins with an exact bias.
#pragma once

#include "core/numeric/integer.h"
#include "core/random/bit_source.h"

namespace dp {

// True with probability p, a rational in [0, 1]. Throws if p lies outside.
bool bernoulli(const Rational& p, BitSource& bits);

// True with probability p, exactly the double in [0, 1]. Throws if p lies outside or is NaN.
//
// With p = sum of b_i 2^-i over i >= 1 the answer is b_i, where i is the position of the first set
// bit in a stream of fair ones. Beyond i = 1074 no double has a bit, so the stream ends there.
bool bernoulli(double p, BitSource& bits);

// True with probability exp(-x), x >= 0 a rational of any size. Throws if x is negative.
//
// For x <= 1: P[the first failure among Bernoulli(x / k), k = 1, 2, ..., is at an odd k] is the
// series of exp(-x). For larger x one coin for each unit, then one for the rest.
// Source: Canonne, Kamath, Steinke (2020), "The Discrete Gaussian for Differential Privacy",
// Algorithm 1.
bool bernoulli_exp(const Rational& x, BitSource& bits);

// bernoulli_exp() at x = a / b, which need not be in lowest terms; a >= 0, b > 0.
bool bernoulli_exp(const Integer& a, const Integer& b, BitSource& bits);

}  // namespace dp
