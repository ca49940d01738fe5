#include "core/random/bernoulli.h"

#include <cmath>

#include "core/error.h"
#include "core/random/uniform.h"

namespace dp {
namespace {

// exp(-a / b) for 0 <= a <= b.
bool bernoulli_exp_of_fraction(const Integer& a, const Integer& b, BitSource& bits) {
  Integer k = 1;
  while (uniform_below(Integer(b * k), bits) < a) ++k;
  return (k & 1) == 1;
}

}  // namespace

bool bernoulli(const Rational& p, BitSource& bits) {
  const Integer a = numerator(p);
  const Integer b = denominator(p);
  if (a < 0 || a > b) throw Error(ErrorKind::failed_function, "`p` must be between 0 and 1.");
  return uniform_below(b, bits) < a;
}

bool bernoulli(double p, BitSource& bits) {
  if (!(p >= 0 && p <= 1)) {
    throw Error(ErrorKind::failed_function, "`p` must be between 0 and 1.");
  }
  if (p == 1) return true;
  constexpr int kLastBit = 1074;
  int position = 1;
  while (!bits.bit()) {
    if (++position > kLastBit) return false;
  }
  // ldexp and fmod are exact here: the bit of weight 2^-position becomes the bit of weight 1.
  return std::fmod(std::floor(std::ldexp(p, position)), 2.0) == 1.0;
}

bool bernoulli_exp(const Integer& a, const Integer& b, BitSource& bits) {
  if (a < 0 || b <= 0) throw Error(ErrorKind::failed_function, "`x` must not be negative.");
  Integer rest = a;
  for (; rest > b; rest -= b) {
    if (!bernoulli_exp_of_fraction(1, 1, bits)) return false;
  }
  return bernoulli_exp_of_fraction(rest, b, bits);
}

bool bernoulli_exp(const Rational& x, BitSource& bits) {
  return bernoulli_exp(numerator(x), denominator(x), bits);
}

}  // namespace dp
