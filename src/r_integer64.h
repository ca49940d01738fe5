// Converts 64-bit integers between R and the core. R has no such type. The package bit64 stores
// each integer in the bits of a double, with the class integer64 and the least integer as NA. bit64
// does not have to be installed.
#pragma once

#include <Rcpp.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "core/domains/domain.h"

namespace dp::r {

inline constexpr std::int64_t kMissingInteger64 = std::numeric_limits<std::int64_t>::min();

// Beyond this magnitude, adjacent doubles are further apart than 1.
inline constexpr std::int64_t kLastExactDouble = std::int64_t{1} << 53;

// Whether T has integers that fit an integer64 but possibly not a double.
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

// How to return i64, u64 and usize to R.
//
// `doubles` applies if every member of the domain is within 2^53, so that each double is exact. It
// also applies to usize, which holds positions and sizes; if one exceeds 2^53, all become
// integer64. Everything else is returned as integer64. That type cannot hold -2^63 or numbers above
// 2^63 - 1. If one such number occurs, all are returned as text, in decimal digits.
enum class Wide { doubles, integer64 };

// Chooses the form from the known `domain`, before any data; null means unknown, as for releases.
// Integer64 input (`like`) stays integer64 for every domain.
Wide wide_form(const AtomDomain* domain, AtomType type, bool like_integer64);

// Sets bit64's class on a double vector that holds the bits, and prepares R to print it.
void set_integer64_class(SEXP vector);

// Parses decimal digits to an integer64; NA stays NA. Throws failed_cast for anything else.
SEXP integer64_from_text(SEXP text);

// Formats an integer64 in decimal digits; NA stays NA.
SEXP text_of_integer64(SEXP vector);

// Rounds an integer64 to the nearest doubles; NA stays NA.
SEXP doubles_of_integer64(SEXP vector);

// Collects 64-bit integers one by one, then reports which R type can hold them all.
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
