#include "core/numeric/enclosure.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <type_traits>

#include "core/error.h"
#include "core/numeric/rational.h"

namespace dp {
namespace {

namespace mp = boost::multiprecision;

template <unsigned Bits>
using Float = mp::number<mp::cpp_bin_float<Bits, mp::digit_base_2>, mp::et_off>;

template <class F>
inline constexpr int kDigits = std::numeric_limits<F>::digits;

constexpr int kLargestArgument = 1 << 16;

// Calls f with a number of the lowest tier that has `bits`.
template <class Function>
Enclosure at_tier(unsigned bits, Function f) {
  if (bits <= kEnclosureTiers[0]) return f(Float<kEnclosureTiers[0]>());
  if (bits <= kEnclosureTiers[1]) return f(Float<kEnclosureTiers[1]>());
  if (bits <= kEnclosureTiers[2]) return f(Float<kEnclosureTiers[2]>());
  throw Error(ErrorKind::failed_function, "`bits` must be at most 2048.");
}

// x = units * 2^exponent, exactly.
struct Scaled {
  Integer units;
  int exponent;
};

template <class F>
Scaled exactly(const F& x) {
  const auto& backend = x.backend();
  if (x == 0) return {0, 0};
  const Integer magnitude(mp::number<std::decay_t<decltype(backend.bits())>>(backend.bits()));
  return {x < 0 ? Integer(-magnitude) : magnitude,
          static_cast<int>(backend.exponent()) - (kDigits<F> - 1)};
}

// By way of an integer: inlined, Boost's own conversion makes compilers warn of an array's bounds.
template <class F>
Enclosure widen(const F& x) {
  const auto [units, exponent] = exactly(x);
  const Real centre = ldexp(Real(units), exponent);
  const Real slack = ldexp(Real(abs(centre)), 32 - kDigits<F>);
  return {centre - slack, centre + slack};
}

// over / under * 2^exponent. To reduce such a fraction of long integers takes longer than a series,
// so that it may have common factors.
struct Fraction {
  Integer over;
  Integer under;
  int exponent;
};

Fraction fraction(const Rational& x) { return {numerator(x), denominator(x), 0}; }

Fraction fraction(const Real& x) {
  const auto [units, exponent] = exactly(x);
  return {units, 1, exponent};
}

// Within 5 u: conversions of long integers may round once per limb, less than 2 u in all.
template <class F>
F nearest(const Fraction& x) {
  return ldexp(F(F(x.over) / F(x.under)), x.exponent);
}

// Adds terms until they are negligible. Each must be at most 1/4 of the one before, so the rest is
// below u / 4 of the sum.
template <class F, class NextTerm>
F sum_series(const F& first, NextTerm next_term) {
  F sum = first;
  for (int n = 1;; ++n) {
    const F term = next_term(n);
    if (abs(term) <= ldexp(F(abs(sum)), -kDigits<F> - 3)) return sum;
    sum += term;
  }
}

// log((1 + z) / (1 - z)) = 2 (z + z^3/3 + z^5/5 + ...) for |z| <= 1/3, within 2^10 u: the n-th term
// is within (12 n + 6) u and shrinks as 9^-n, 8 u together; fewer than 650 additions, 1 u each.
template <class F>
F twice_atanh(const Fraction& z) {
  F power = nearest<F>(z);
  const F square = power * power;
  return 2 * sum_series(power, [&](int n) {
           power *= square;
           return F(power / (2 * n + 1));
         });
}

template <class F>
const F& log_of_two() {
  static const F value = twice_atanh<F>({1, 3, 0});
  return value;
}

// log x = k log 2 + log m with x = 2^k m and 2/3 <= m <= 4/3, within 2^12 u: the parts are at most
// 2.5 and 1.5 times the result. Near 1, k is 0 and (m - 1) / (m + 1) has been exact so far, so that
// the error is relative there too.
template <class F>
F log_of(Fraction x) {
  int k = static_cast<int>(msb(x.over)) - static_cast<int>(msb(x.under));
  (k > 0 ? x.under : x.over) <<= static_cast<unsigned>(std::abs(k));  // between 1/2 and 2
  if (3 * x.over > 4 * x.under) {
    x.under <<= 1;
    ++k;
  } else if (3 * x.over < 2 * x.under) {
    x.over <<= 1;
    --k;
  }
  return twice_atanh<F>({x.over - x.under, x.over + x.under, 0}) +
         (k + x.exponent) * log_of_two<F>();
}

// exp(r) - 1 = r + r^2/2! + ... for |r| <= 1/2, within 2^10 u: the n-th term is within 2 n u, and
// there are fewer than 300.
template <class F>
F expm1_series(const F& r) {
  F term = r;
  return sum_series(r, [&](int n) {
    term *= r;
    term /= n + 1;
    return term;
  });
}

// exp x = 2^k exp r with x = k log 2 + r and |r| < 1/2, within 2^27 u, where `whole` is x within
// 5 u: the error of r is an absolute one, at most (5 + 2^10 + 2) u |x| with |x| <= 2^16.
template <class F>
F exp_of(const F& whole) {
  const F k = round(F(whole / log_of_two<F>()));
  const F r = whole - k * log_of_two<F>();
  return ldexp(F(1 + expm1_series<F>(r)), static_cast<int>(k));
}

template <class Number>
void require_moderate(const Number& x) {
  if (x > kLargestArgument) {
    throw Error(ErrorKind::overflow, "An exponential is too large to be enclosed.");
  }
}

template <class Number>
Enclosure enclosed_log(const Number& x, unsigned bits) {
  if (x <= 0) throw Error(ErrorKind::overflow, "Only a positive number has a logarithm.");
  return at_tier(bits, [&](auto tier) { return widen(log_of<decltype(tier)>(fraction(x))); });
}

template <class Number>
Enclosure enclosed_exp(const Number& x, unsigned bits) {
  require_moderate(x);
  if (x == 0) return {1, 1};  // the one rational result
  if (x < -kLargestArgument) return {0, enclosed_exp(Number(-kLargestArgument), bits).upper};
  return at_tier(bits, [&](auto tier) {
    using F = decltype(tier);
    return widen(exp_of(nearest<F>(fraction(x))));
  });
}

}  // namespace

Enclosure enclose(const Rational& x) { return widen(nearest<Real>(fraction(x))); }

double upper_double(const Enclosure& x) {
  const auto [units, exponent] = exactly(x.upper);
  return scaled_to_double_up(units, exponent);
}

double lower_double(const Enclosure& x) {
  const auto [units, exponent] = exactly(x.lower);
  return scaled_to_double_down(units, exponent);
}

Enclosure log(const Rational& x, unsigned bits) { return enclosed_log(x, bits); }

Enclosure log(const Enclosure& x, unsigned bits) {
  return {enclosed_log(x.lower, bits).lower, enclosed_log(x.upper, bits).upper};
}

Enclosure exp(const Rational& x, unsigned bits) { return enclosed_exp(x, bits); }

Enclosure exp(const Enclosure& x, unsigned bits) {
  return {enclosed_exp(x.lower, bits).lower, enclosed_exp(x.upper, bits).upper};
}

Enclosure expm1(const Rational& x, unsigned bits) {
  require_moderate(x);
  if (x < -kLargestArgument) return {-1, expm1(Rational(-kLargestArgument), bits).upper};
  return at_tier(bits, [&](auto tier) {
    using F = decltype(tier);
    // Beyond 1/2 the subtraction loses less than 2 bits.
    const F whole = nearest<F>(fraction(x));
    if (abs(x) > Rational(1, 2)) return widen(F(exp_of(whole) - 1));
    return widen(expm1_series(whole));
  });
}

Enclosure operator+(const Enclosure& a, const Enclosure& b) {
  return {widen(Real(a.lower + b.lower)).lower, widen(Real(a.upper + b.upper)).upper};
}

Enclosure operator-(const Enclosure& a, const Enclosure& b) {
  return {widen(Real(a.lower - b.upper)).lower, widen(Real(a.upper - b.lower)).upper};
}

Enclosure operator*(const Enclosure& a, const Enclosure& b) {
  const auto [least, greatest] =
      std::minmax({a.lower * b.lower, a.lower * b.upper, a.upper * b.lower, a.upper * b.upper});
  return {widen(least).lower, widen(greatest).upper};
}

Enclosure operator/(const Enclosure& a, const Enclosure& b) {
  if (b.lower <= 0 && b.upper >= 0) {
    throw Error(ErrorKind::overflow, "An enclosure that contains zero cannot be a divisor.");
  }
  const auto [least, greatest] =
      std::minmax({a.lower / b.lower, a.lower / b.upper, a.upper / b.lower, a.upper / b.upper});
  return {widen(least).lower, widen(greatest).upper};
}

}  // namespace dp
