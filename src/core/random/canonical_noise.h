// Canonical noise for approximate differential privacy: the law whose distance from itself, moved
// by one, is as (epsilon, delta) allows and not less.
#pragma once

#include "core/numeric/integer.h"
#include "core/random/bit_source.h"

namespace dp {

// By inversion of a uniform U of which only the bits are drawn that the answer needs.
//
// With A = exp(epsilon) the trade-off of (epsilon, delta) is
// f(u) = max(1 - delta - A u, (1 - delta - u) / A, 0), with the fixed point c = (1 - delta)/(1 +
// A). The quantile function of its canonical noise satisfies Q(u) = Q(1 - f(u)) - 1 for u < c,
// where 1 - f(u) = delta + A u; Q(u) = (u - 1/2) / (1 - 2 c) in between, and Q(1 - u) = -Q(u). That
// law is continuous, and it can be distinguished from its shift by m in [0, 1] no better than f
// says. Source: Awan and Vadhan (2023), "Canonical Noise Distributions and Private Hypothesis
// Tests", Definition 3.1 and Proposition 3.7. Any A from 1 to exp(epsilon) will do, since f is then
// above the trade-off asked for, and symmetric.
class CanonicalNoise {
 public:
  // A > 1 and 0 <= delta <= 1, exactly.
  CanonicalNoise(Rational A, Rational delta);

  // (1 - delta) / (1 + A).
  const Rational& fixed_point() const { return c_; }

  // Q(u) for u = units * 2^-bits in (0, 1), from below and from above; `bits` fixes how far apart.
  Rational quantile_down(const Integer& units, unsigned bits) const;
  Rational quantile_up(const Integer& units, unsigned bits) const;

  // The double nearest to x + width * N for one draw N of the noise; width >= 0.
  double add_to(const Rational& x, const Rational& width, BitSource& bits) const;

 private:
  // Rounded up or down.
  Rational quantile(const Integer& units, unsigned bits, bool up) const;
  Rational lower_quantile(Integer units, unsigned bits, bool up) const;

  Rational A_;
  Rational delta_;
  Rational c_;
};

}  // namespace dp
