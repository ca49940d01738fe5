// Decimal digits to and from binary floating point, by exact integer arithmetic.
//
// Slow, and independent of the standard library: text.cpp uses it for what std::from_chars and
// std::to_chars do not decide, and for everything where they do not support floating point.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dp {

// The number digits * 10^exponent.
struct Decimal {
  std::string digits;
  std::int64_t exponent;
};

// The value of F (float or double) nearest to digits * 10^exponent, ties to even; infinite past the
// largest. `digits` is not empty and has decimal digits only.
template <class F>
F nearest_to_decimal(std::string_view digits, std::int64_t exponent);

// The shortest decimal that reads back as x, and the nearest to x among those; no trailing zeros.
// x is positive and finite.
template <class F>
Decimal shortest_decimal(F x);

}  // namespace dp
