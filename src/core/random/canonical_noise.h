// Canonical noise for approximate differential privacy: its distance from itself, shifted by one,
// is exactly what (epsilon, delta) allows.
#pragma once

#include "core/numeric/integer.h"
#include "core/random/bit_source.h"

namespace dp {

// Canonical noise by inversion of a uniform U. Only the needed bits of U are drawn.
//
// With A = exp(epsilon) the trade-off of (epsilon, delta) is f(u) = max(1 - delta - A u, (1 - delta
// - u) / A, 0), with the fixed point c = (1 - delta)/(1 + A). The quantile function of its
// canonical noise satisfies Q(u) = Q(1 - f(u)) - 1 for u < c, where 1 - f(u) = delta + A u; Q(u) =
// (u - 1/2) / (1 - 2 c) in between, and Q(1 - u) = -Q(u).
//
// Privacy: that law is continuous. It can be distinguished from its shift by m in [0, 1] no better
// than f says. Any A from 1 to exp(epsilon) is valid, because f is then above the requested
// trade-off, and symmetric.
//
// Source: Awan and Vadhan (2023), "Canonical Noise Distributions and Private Hypothesis Tests",
// Definition 3.1 and Proposition 3.7.
class CanonicalNoise {
 public:
  // A > 1 and 0 <= delta <= 1, exactly.
  CanonicalNoise(Rational A, Rational delta);

  // (1 - delta) / (1 + A).
  const Rational& fixed_point() const { return c_; }

  // Q(u) for u = units * 2^-bits in (0, 1), rounded down and up; more `bits` bring both closer.
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
