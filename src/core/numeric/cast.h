// Conversions between the carrier types of the framework, by three rules.
//
// `exact_cast` and the directed casts serve stability maps and throw failed_cast; `round_cast`
// serves data, where a value that does not fit becomes a missing one.
//
// Inline, because a conversion has no neighbour to be fused with, and block operators want them in
// vector loops.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/error.h"
#include "core/numeric/limits.h"
#include "core/numeric/text.h"

namespace dp {
namespace cast {

template <class T>
inline constexpr bool kIsText =
    std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>;

// Whether an integer is a value of the integer type TO.
template <class TO, class FROM>
constexpr bool fits(FROM n) {
  return static_cast<int128_t>(n) >= static_cast<int128_t>(kMin<TO>) &&
         static_cast<int128_t>(n) <= static_cast<int128_t>(kMax<TO>);
}

// Whether a whole floating-point number is a value of the integer type TO. The limits are minus
// and plus a power of two, or zero: exact in either format, while kMax<TO> would be rounded.
template <class TO, class FROM>
bool whole_fits(FROM x) {
  const FROM beyond = 2 * static_cast<FROM>(kMax<TO> / 2 + 1);
  return x >= static_cast<FROM>(kMin<TO>) && x < beyond;
}

enum class Side { up, down };

template <class TO, Side side, class FROM>
TO directed(FROM x) {
  constexpr TO kToward = side == Side::up ? static_cast<TO>(HUGE_VAL) : static_cast<TO>(-HUGE_VAL);
  const TO nearest = static_cast<TO>(x);
  bool short_of;  // whether `nearest` is on the wrong side of x
  if constexpr (kIsFloat<FROM>) {
    const double back = static_cast<double>(nearest);
    short_of = side == Side::up ? back < x : back > x;
  } else if (whole_fits<int128_t>(nearest)) {
    const auto back = static_cast<int128_t>(nearest);
    short_of = side == Side::up ? back < x : back > x;
  } else {
    short_of = side == Side::down;  // 2^127, above every 128-bit integer
  }
  return short_of ? std::nextafter(nearest, kToward) : nearest;
}

template <class TO, Side side, class FROM>
TO directed_cast(FROM x) {
  static_assert(std::is_arithmetic_v<TO> || std::is_same_v<TO, int128_t>);
  if constexpr (!kIsFloat<FROM> && !kIsFloat<TO>) {
    if (!fits<TO>(x)) throw Error(ErrorKind::failed_cast, "An integer is outside of range.");
    return static_cast<TO>(x);
  } else if constexpr (!kIsFloat<TO>) {
    const FROM whole = side == Side::up ? std::ceil(x) : std::floor(x);
    if (!whole_fits<TO>(whole)) {
      throw Error(ErrorKind::failed_cast,
                  "Failed to cast float to int. Float value is outside of range.");
    }
    return static_cast<TO>(whole);
  } else {
    if (x != x) throw Error(ErrorKind::failed_cast, "NaN has no neighbours.");
    return directed<TO, side>(x);
  }
}

}  // namespace cast

// `n` as TO without any change, or failed_cast. An integer fits a floating-point type of p bits if
// it is in [-2^p, 2^p]: beyond, neighbouring integers coincide.
template <class TO, class FROM>
TO exact_cast(FROM n) {
  static_assert(!kIsFloat<FROM> || (kIsFloat<TO> && sizeof(TO) >= sizeof(FROM)),
                "a narrowing of floats is not exact: say cast_up or cast_down");
  if constexpr (!kIsFloat<FROM>) {
    bool exact;
    if constexpr (kIsFloat<TO>) {
      constexpr auto kLimit = static_cast<int128_t>(kMaxConsecutive<TO>);
      exact = static_cast<int128_t>(n) >= -kLimit && static_cast<int128_t>(n) <= kLimit;
    } else {
      exact = cast::fits<TO>(n);
    }
    if (!exact) {
      throw Error(ErrorKind::failed_cast, "An integer is too large to be converted exactly.");
    }
  }
  return static_cast<TO>(n);
}

// The integer that x is. Empty for fractions and NaN, and beyond 2^53, where not every integer is a
// double.
inline std::optional<std::int64_t> whole_number(double x) {
  if (!(x >= -kMaxConsecutive<double> && x <= kMaxConsecutive<double>)) return std::nullopt;
  if (std::trunc(x) != x) return std::nullopt;
  return static_cast<std::int64_t>(x);
}

// The least value of TO at or above x, the greatest at or below. Throw failed_cast if an integer
// type has none, and for NaN; a float past the largest finite one is an infinity.
template <class TO, class FROM>
TO cast_up(FROM x) {
  return cast::directed_cast<TO, cast::Side::up>(x);
}
template <class TO, class FROM>
TO cast_down(FROM x) {
  return cast::directed_cast<TO, cast::Side::down>(x);
}

// The conversion of data, between numbers, bool and text:
//
//   integer -> integer   if in range           float -> integer     toward zero, if in range
//   number  -> float     nearest, ties to even number -> bool       is not 0 (NaN is true)
//   bool    -> number    1 or 0                bool -> text         "true", "false"
//   text    -> bool      is not empty          text <-> number      numeric/text.h
//
// Empty if there is no such value. Never throws for a value, whatever it is.
template <class TO, class FROM>
std::optional<TO> round_cast(const FROM& from) {
  static_assert(!std::is_same_v<TO, std::string_view>, "a view would not own its text");
  if constexpr (std::is_same_v<TO, FROM>) {
    return from;
  } else if constexpr (cast::kIsText<FROM>) {
    if constexpr (std::is_same_v<TO, std::string>) {
      return std::string(from);
    } else if constexpr (std::is_same_v<TO, bool>) {
      return !from.empty();
    } else {
      return parse_number<TO>(from);
    }
  } else if constexpr (std::is_same_v<TO, std::string>) {
    if constexpr (std::is_same_v<FROM, bool>) {
      return std::string(from ? "true" : "false");
    } else {
      return format_number(from);
    }
  } else if constexpr (std::is_same_v<TO, bool>) {
    return from != FROM{0};
  } else if constexpr (kIsFloat<TO> || std::is_same_v<FROM, bool>) {
    return static_cast<TO>(from);
  } else if constexpr (kIsFloat<FROM>) {
    const FROM whole = std::trunc(from);
    if (!cast::whole_fits<TO>(whole)) return std::nullopt;
    return static_cast<TO>(whole);
  } else {
    if (!cast::fits<TO>(from)) return std::nullopt;
    return static_cast<TO>(from);
  }
}

}  // namespace dp
