// (more - less) / scale for two scores: an interval immediately, the exact number on demand.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "core/numeric/int128.h"
#include "core/numeric/limits.h"
#include "core/numeric/rational.h"
#include "core/random/exp_coin.h"
#include "core/random/exponential_race.h"

namespace dp {

// For finite more >= less and scale > 0.
template <class T>
Rational exact_exponent(T more, T less, double scale) {
  if constexpr (kIsFloat<T>) {
    return (exact_rational(more) - exact_rational(less)) / exact_rational(scale);
  } else {
    const Integer gap =
        to_integer(static_cast<int128_t>(more)) - to_integer(static_cast<int128_t>(less));
    return gap / exact_rational(scale);
  }
}

// An approximation of it for more > less: the difference and the quotient are
// each within a relative 2^-53, unless they leave the range of normal doubles.
template <class T>
double near_exponent(T more, T less, double scale) {
  if constexpr (kIsFloat<T>) {
    const double gap = static_cast<double>(more) - static_cast<double>(less);
    if (std::isfinite(gap)) return gap / scale;
    return 2 * ((static_cast<double>(more) / 2 - static_cast<double>(less) / 2) / scale);
  } else {
    // Exact modulo the number of values of the unsigned type.
    using Unsigned = std::conditional_t<(sizeof(T) > 8), uint128_t, std::uint64_t>;
    return static_cast<double>(static_cast<Unsigned>(more) - static_cast<Unsigned>(less)) / scale;
  }
}

// An interval for it, a relative 2^-48 wide where nothing overflows or is subnormal.
template <class T>
ExponentBounds exponent_bounds(T more, T less, double scale) {
  if (more == less) return {0, 0};
  constexpr double kLeast = 0x1p-1000;  // above it, nothing is subnormal
  constexpr double kMargin = 0x1p-50;
  const double quotient = near_exponent(more, less, scale);
  if (quotient < kLeast) return {0, 2 * kLeast};
  if (std::isinf(quotient)) return {kMax<double> / 2, quotient};
  return {quotient * (1 - kMargin), quotient * (1 + kMargin)};
}

// near_exponent(), or 0 for values below 2^-200, so that no processor slows down for a subnormal
// number (unless `scale` is nearly subnormal).
template <class T>
double normal_exponent(T more, T less, double scale) {
  if constexpr (kIsFloat<T>) {
    const double gap = static_cast<double>(more) - static_cast<double>(less);
    const double least = scale >= 0x1p-800 ? scale * 0x1p-200 : 0;
    if (std::isfinite(gap)) return (gap < least ? 0.0 : gap) / scale;
  }
  return near_exponent(more, less, scale);
}

// normal_exponent() in the form of ExponentialRace (random/exponential_race.h), by the same steps
// for all scores: a unit of 2^-57 covers values next to 0.
template <class T>
FixedInterval fixed_exponent(T more, T less, double scale) {
  constexpr double kMargin = 0x1p-50;
  constexpr double kUnits = 0x1p57;
  const double quotient = normal_exponent(more, less, scale);
  const double lower = std::min(quotient * (1 - kMargin), kFarBehind);
  const double upper = std::min(quotient * (1 + kMargin), kFarBehind);
  const auto most = static_cast<std::uint64_t>(static_cast<std::int64_t>(upper * kUnits)) + 1;
  return {static_cast<std::uint64_t>(static_cast<std::int64_t>(lower * kUnits)),
          upper < kFarBehind ? most : kNever};
}

}  // namespace dp
