#include "core/random/heavy_tail_noise.h"

#include "core/numeric/rational.h"
#include "core/random/lazy_uniform.h"

namespace dp {
namespace {

// floor(scale u / sqrt(1 - u^2) + 1/2) for u = units * 2^-count below 1. With x the square of twice
// the product that is floor((sqrt(x) + 1) / 2), and of x only the whole part matters.
Integer rounded_magnitude(const Rational& scale, const Integer& units, unsigned count) {
  const Integer one = Integer(1) << (2 * count);
  const Integer square = units * units;
  const Integer twice = 2 * numerator(scale);
  const Integer x =
      twice * twice * square / (denominator(scale) * denominator(scale) * (one - square));
  return (boost::multiprecision::sqrt(x) + 1) / 2;
}

}  // namespace

Integer heavy_tail_noise(const Rational& scale, BitSource& bits) {
  const bool negative = bits.word() >> 63 != 0;
  for (LazyUniform u(bits.word(), 64, bits);; u.extend()) {
    const Integer above = u.prefix() + 1;
    if ((above >> u.count()) != 0) continue;
    const Integer low = rounded_magnitude(scale, u.prefix(), u.count());
    if (low != rounded_magnitude(scale, above, u.count())) continue;
    return negative ? Integer(-low) : low;
  }
}

}  // namespace dp
