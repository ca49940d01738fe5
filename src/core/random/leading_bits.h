// The first 64 bits of a positive rational.
#pragma once

#include <cstdint>

#include "core/numeric/integer.h"

namespace dp {

// The rational lies in [mantissa, mantissa + 1) * 2^(exponent - 64), mantissa >= 2^63, and equals
// the left end if `exact`.
struct LeadingBits {
  std::uint64_t mantissa;
  std::int64_t exponent;
  bool exact;
};

// Of a / b; a > 0, b > 0.
LeadingBits leading_bits(const Integer& a, const Integer& b);

}  // namespace dp
