#include "core/random/canonical_noise.h"

#include <utility>

#include "core/numeric/rational.h"
#include "core/random/lazy_uniform.h"

namespace dp {
namespace {

Integer floor_of_quotient(const Integer& a, const Integer& b) { return a / b; }  // both positive
Integer ceil_of_quotient(const Integer& a, const Integer& b) { return (a + b - 1) / b; }

}  // namespace

CanonicalNoise::CanonicalNoise(Rational A, Rational delta)
    : A_(std::move(A)), delta_(std::move(delta)), c_((1 - delta_) / (1 + A_)) {}

// For u <= 1/2. Each step multiplies an error of one unit of the working precision by A, and all of
// them together by 1 / u at most, so twice the bits of u and some are enough to end with 2^-bits.
Rational CanonicalNoise::lower_quantile(Integer units, unsigned bits, Side side) const {
  const unsigned work = 2 * bits + 128;
  units <<= work - bits;
  const Integer a = numerator(A_), b = denominator(A_);
  const Integer shift = side == Side::down ? floor(delta_ * (Integer(1) << work))
                                           : ceil(delta_ * (Integer(1) << work));
  const Integer c_above = numerator(c_) << work;
  Integer steps = 0;
  while (units * denominator(c_) < c_above) {
    units =
        (side == Side::down ? floor_of_quotient(units * a, b) : ceil_of_quotient(units * a, b)) +
        shift;
    ++steps;
  }
  return (Rational(units, Integer(1) << work) - Rational(1, 2)) / (1 - 2 * c_) - steps;
}

Rational CanonicalNoise::quantile(const Integer& units, unsigned bits, Side side) const {
  const Integer one = Integer(1) << bits;
  if (2 * units <= one) return lower_quantile(units, bits, side);
  return -lower_quantile(one - units, bits, side == Side::down ? Side::up : Side::down);
}

Rational CanonicalNoise::quantile_down(const Integer& units, unsigned bits) const {
  return quantile(units, bits, Side::down);
}

Rational CanonicalNoise::quantile_up(const Integer& units, unsigned bits) const {
  return quantile(units, bits, Side::up);
}

double CanonicalNoise::add_to(const Rational& x, const Rational& width, BitSource& bits) const {
  LazyUniform u(bits.word(), 64, bits);
  for (;; u.extend()) {
    const Integer above = u.prefix() + 1;
    const bool at_end = u.prefix() == 0 || above == Integer(1) << u.count();
    if (at_end && delta_ == 0) continue;
    const double low = to_double_nearest(x + width * quantile_down(u.prefix(), u.count()));
    const double high = to_double_nearest(x + width * quantile_up(above, u.count()));
    if (low == high) return low;
  }
}

}  // namespace dp
