// The first 64 bits of a positive rational, and whether an integer has no more.
#pragma once

#include <cstdint>

#include "core/numeric/integer.h"

namespace dp {

// Whether |x| is below 2^64.
inline bool fits_word(const Integer& x) {
  static_assert(sizeof(boost::multiprecision::limb_type) == 8);
  return x.backend().size() == 1;
}

// The rational lies in [mantissa, mantissa + 1) * 2^(exponent - 64), mantissa >= 2^63, and equals
// the left end if `exact`.
struct LeadingBits {
  std::uint64_t mantissa;
  std::int64_t exponent;
  bool exact;
};

// The leading bits of a / b; a > 0, b > 0.
LeadingBits leading_bits(const Integer& a, const Integer& b);

}  // namespace dp
