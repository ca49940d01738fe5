#include "core/numeric/rational.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/error.h"
#include "core/numeric/limits.h"

namespace dp {
namespace {

enum class Rounding { nearest, up, down };

// `units` * 2^exponent, plus less than one more unit if `more`.
struct Magnitude {
  Integer units;
  bool more;
  std::int64_t exponent;
};

// Rounds a magnitude: `up` is away from zero. `more` needs units of at least digits + 2 bits.
template <class F>
F round_magnitude(const Magnitude& m, Rounding rounding) {
  using Limits = std::numeric_limits<F>;
  if (m.units == 0) return 0;
  const std::int64_t top = static_cast<std::int64_t>(msb(m.units)) + m.exponent;
  if (top >= Limits::max_exponent) {
    return rounding == Rounding::down ? Limits::max() : Limits::infinity();
  }
  // The last place of the result, and how many bits of `units` lie below it.
  const std::int64_t least = Limits::min_exponent - Limits::digits;
  const std::int64_t place = std::max(top - (Limits::digits - 1), least);
  const std::int64_t dropped = place - m.exponent;
  if (dropped <= 0) {
    return std::ldexp(static_cast<F>(m.units), static_cast<int>(m.exponent));
  }
  const auto shift = static_cast<std::size_t>(dropped);
  Integer significand = m.units >> shift;
  const bool below_half = m.more || lsb(m.units) < shift - 1;
  const bool half =
      dropped <= top - m.exponent + 1 && bit_test(m.units, static_cast<unsigned>(shift - 1));
  const bool odd = bit_test(significand, 0);
  if (rounding == Rounding::up ? half || below_half
                               : rounding == Rounding::nearest && half && (below_half || odd)) {
    ++significand;
  }
  return std::ldexp(static_cast<F>(significand), static_cast<int>(place));
}

// Rounding of a signed value, as a rounding of its magnitude.
Rounding mirrored(Rounding rounding, bool negative) {
  if (!negative || rounding == Rounding::nearest) return rounding;
  return rounding == Rounding::up ? Rounding::down : Rounding::up;
}

// Applies to a fraction that need not be reduced; its divisor is positive.
template <class F>
F round_fraction(Integer dividend, Integer divisor, Rounding rounding) {
  // More bits than any significand has, so that one bit of remainder decides the rest.
  constexpr std::int64_t kBits = 66;
  const bool negative = dividend < 0;
  if (dividend == 0) return 0;
  if (negative) dividend = -dividend;
  const std::int64_t shift =
      kBits - (static_cast<std::int64_t>(msb(dividend)) - static_cast<std::int64_t>(msb(divisor)));
  (shift > 0 ? dividend : divisor) <<= static_cast<std::size_t>(std::abs(shift));
  Integer units, remainder;
  divide_qr(dividend, divisor, units, remainder);
  const F magnitude =
      round_magnitude<F>({units, remainder != 0, -shift}, mirrored(rounding, negative));
  return negative ? 0 - magnitude : magnitude;  // not -magnitude: no result is -0
}

template <class F>
F round_rational(const Rational& q, Rounding rounding) {
  return round_fraction<F>(numerator(q), denominator(q), rounding);
}

template <class F>
F round_scaled(const Integer& i, int k, Rounding rounding) {
  const F magnitude = round_magnitude<F>({abs(i), false, k}, mirrored(rounding, i < 0));
  return i < 0 ? 0 - magnitude : magnitude;
}

}  // namespace

Rational exact_rational(double x) {
  if (!std::isfinite(x)) {
    throw Error(ErrorKind::failed_cast, "Only a finite number is a rational number.");
  }
  constexpr int kDigits = std::numeric_limits<double>::digits;
  int exponent;
  Integer units = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), kDigits));
  if (units == 0) return 0;
  // Without the units' zeros at the end the fraction is in its lowest terms.
  const unsigned zeros = lsb(abs(units));
  exponent += static_cast<int>(zeros) - kDigits;
  units /= Integer(1) << zeros;
  const Integer power = Integer(1) << static_cast<unsigned>(std::abs(exponent));
  return exponent < 0 ? Rational(units, power) : Rational(Integer(units * power));
}

Rational exact_rational(float x) { return exact_rational(static_cast<double>(x)); }

double to_double_nearest(const Rational& q) { return round_rational<double>(q, Rounding::nearest); }
double to_double_up(const Rational& q) { return round_rational<double>(q, Rounding::up); }
double to_double_down(const Rational& q) { return round_rational<double>(q, Rounding::down); }
double product_to_double(const Integer& i, const Rational& unit) {
  return round_fraction<double>(i * numerator(unit), denominator(unit), Rounding::nearest);
}
float to_float_nearest(const Rational& q) { return round_rational<float>(q, Rounding::nearest); }
float to_float_up(const Rational& q) { return round_rational<float>(q, Rounding::up); }
float to_float_down(const Rational& q) { return round_rational<float>(q, Rounding::down); }

double scaled_to_double(const Integer& i, int k) {
  return round_scaled<double>(i, k, Rounding::nearest);
}
double scaled_to_double_up(const Integer& i, int k) {
  return round_scaled<double>(i, k, Rounding::up);
}
double scaled_to_double_down(const Integer& i, int k) {
  return round_scaled<double>(i, k, Rounding::down);
}
float scaled_to_float(const Integer& i, int k) {
  return round_scaled<float>(i, k, Rounding::nearest);
}

Integer floor(const Rational& q) {
  Integer quotient, remainder;
  divide_qr(numerator(q), denominator(q), quotient, remainder);  // toward zero
  if (remainder < 0) --quotient;
  return quotient;
}

Integer ceil(const Rational& q) { return -floor(-q); }

Integer round_half_up(const Rational& q) { return floor(q + Rational(1, 2)); }

Rational power_of_two(int k) {
  const Integer power = Integer(1) << static_cast<unsigned>(std::abs(k));
  return k < 0 ? Rational(1, power) : Rational(power);
}

Integer to_integer(int128_t i) { return Integer(i); }

bool fits_int128(const Integer& i) {
  return i >= to_integer(kMin<int128_t>) && i <= to_integer(kMax<int128_t>);
}

int128_t to_int128(const Integer& i) {
  if (!fits_int128(i)) {
    throw Error(ErrorKind::overflow, "An integer does not fit into 128 bits.");
  }
  return static_cast<int128_t>(i);
}

}  // namespace dp
