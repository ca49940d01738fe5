// 64-bit integers between R and the core. R has no type for them: the package bit64 keeps each in
// the bits of a double, with the class integer64 and the smallest one for NA. That package need not
// be there.
#pragma once

#include <Rcpp.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "core/domains/domain.h"

namespace dp::r {

inline constexpr std::int64_t kMissingInteger64 = std::numeric_limits<std::int64_t>::min();

// Beyond it, on both sides, doubles are further apart than 1.
inline constexpr std::int64_t kLastExactDouble = std::int64_t{1} << 53;

// Whether T has integers that an integer64 holds and a double may not.
template <class T>
inline constexpr bool is_wide_integer =
    std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::uint64_t>;

bool is_integer64(SEXP object);

inline std::int64_t integer64_of(double bits) {
  std::int64_t value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline double bits_of(std::int64_t value) {
  double bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// How i64, u64 and usize come back to R.
//
// In doubles, while no member of the domain lies beyond 2^53, so that each is exact; so does usize,
// which holds places and sizes, and of which only what is beyond 2^53 comes as integer64, all of it
// then. Everything else in integer64. That has no room for -2^63 and for what is above 2^63 - 1:
// where such a number is among them, all come as text, in decimal digits.
enum class Wide { doubles, integer64 };

// What is known of `domain`, before any data; null is nothing, as of releases. Data in integer64,
// `like`, keep integer64 whatever the domain.
Wide wide_form(const AtomDomain* domain, AtomType type, bool like_integer64);

// The class of bit64 on a double vector that holds bits. Prepares R to print it.
void set_integer64_class(SEXP vector);

// Decimal digits as an integer64; NA for NA. Throws failed_cast for anything else.
SEXP integer64_from_text(SEXP text);

// Decimal digits of an integer64, NA for NA.
SEXP text_of_integer64(SEXP vector);

// The nearest doubles, NA for NA.
SEXP doubles_of_integer64(SEXP vector);

// Takes 64-bit integers one by one, of which it says afterwards how R can keep them.
class WideRange {
 public:
  template <class T>
  void add(T value) {
    if constexpr (std::is_unsigned_v<T>) {
      beyond_double_ |= value > static_cast<T>(kLastExactDouble);
      beyond_integer64_ |= value > static_cast<T>(std::numeric_limits<std::int64_t>::max());
    } else {
      beyond_double_ |= value > kLastExactDouble || value < -kLastExactDouble;
      beyond_integer64_ |= value == kMissingInteger64;
    }
  }

  bool in_doubles() const { return !beyond_double_; }
  bool in_integer64() const { return !beyond_integer64_; }

 private:
  bool beyond_double_ = false;
  bool beyond_integer64_ = false;
};

}  // namespace dp::r
