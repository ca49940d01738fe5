#include "core/random/canonical_noise.h"

#include <utility>
#include <vector>

#include "core/numeric/rational.h"
#include "core/random/lazy_uniform.h"

namespace dp {
namespace {

enum class Toward { down, up };

Integer shifted_right(const Integer& x, unsigned bits, Toward side) {  // x >= 0
  Integer quotient = x >> bits;
  if (side == Toward::up && (quotient << bits) != x) ++quotient;
  return quotient;
}

// u -> delta + A u some number of times over, which is affine again, rounded to one side. Both
// coefficients and u are in units of 2^-bits.
struct Steps {
  Integer factor;
  Integer offset;

  Integer operator()(const Integer& u, unsigned bits, Toward side) const {
    return shifted_right(factor * u, bits, side) + offset;
  }
  Steps twice(unsigned bits, Toward side) const {
    return {shifted_right(factor * factor, bits, side), (*this)(offset, bits, side)};
  }
};

// An interval around 2^j steps.
struct Leap {
  Steps down;
  Steps up;

  Integer to(const Integer& u, unsigned bits, Toward side) const {
    return (side == Toward::down ? down : up)(u, bits, side);
  }
  Leap twice(unsigned bits) const {
    return {down.twice(bits, Toward::down), up.twice(bits, Toward::up)};
  }
};

}  // namespace

CanonicalNoise::CanonicalNoise(Rational A, Rational delta)
    : A_(std::move(A)), delta_(std::move(delta)), c_((1 - delta_) / (1 + A_)) {}

// The quantile for u <= 1/2. There are about ln(c / u) / epsilon steps up to c. Leaps of 2^j steps
// are taken while even their upper end stays below c, so that the definition holds for every step.
// Each leap rounds to the requested side; Q is increasing, so the result is a bound on that side.
// In all leaps together, an error of one unit grows at most by the number of steps and by 1 / u. So
// twice the bits of u and some more suffice for a final error of 2^-bits.
Rational CanonicalNoise::lower_quantile(Integer units, unsigned bits, bool up) const {
  const Toward side = up ? Toward::up : Toward::down;
  const unsigned work = 2 * bits + 192;
  units <<= work - bits;
  const Integer c_above = numerator(c_) << work;
  const auto below_c = [&](const Integer& u) { return u * denominator(c_) < c_above; };

  const auto scaled = [work](const Rational& x) { return Rational(x * (Integer(1) << work)); };
  const Leap step = {{floor(scaled(A_)), floor(scaled(delta_))},
                     {ceil(scaled(A_)), ceil(scaled(delta_))}};
  std::vector<Leap> leaps;
  for (Leap leap = step; below_c(leap.to(units, work, Toward::up)); leap = leap.twice(work)) {
    leaps.push_back(leap);
  }
  Integer steps = 0;
  for (std::size_t j = leaps.size(); j-- > 0;) {
    while (below_c(leaps[j].to(units, work, Toward::up))) {
      units = leaps[j].to(units, work, side);
      steps += Integer(1) << j;
    }
  }
  for (; below_c(units); ++steps) units = step.to(units, work, side);
  return (Rational(units, Integer(1) << work) - Rational(1, 2)) / (1 - 2 * c_) - steps;
}

Rational CanonicalNoise::quantile(const Integer& units, unsigned bits, bool up) const {
  const Integer one = Integer(1) << bits;
  if (2 * units <= one) return lower_quantile(units, bits, up);
  return -lower_quantile(one - units, bits, !up);
}

Rational CanonicalNoise::quantile_down(const Integer& units, unsigned bits) const {
  return quantile(units, bits, false);
}

Rational CanonicalNoise::quantile_up(const Integer& units, unsigned bits) const {
  return quantile(units, bits, true);
}

double CanonicalNoise::add_to(const Rational& x, const Rational& width, BitSource& bits) const {
  LazyUniform u(bits.word(), 64, bits);
  for (;; u.extend()) {
    const Integer above = u.prefix() + 1;
    if (u.prefix() == 0 || above == Integer(1) << u.count()) continue;
    const double low = to_double_nearest(x + width * quantile_down(u.prefix(), u.count()));
    const double high = to_double_nearest(x + width * quantile_up(above, u.count()));
    if (low == high) return low;
  }
}

}  // namespace dp
