// Rounding of one number, equal on every machine.
#pragma once

#include <cstdint>

namespace dp::query {

enum class Rounding : std::uint8_t { nearest, down, up, to_zero };

// Largest number of decimal digits for rounding to nearest, after the point, or before it if
// negative.
inline constexpr std::int64_t kMostDigits = 15;

// Rounds to a multiple of 10^-digits, for digits <= 0. Ties go to the even multiple.
std::int64_t rounded_whole(std::int64_t x, std::int64_t digits);

// Rounds a real within +-2^51 to nearest, or in the other directions if digits is 0.
std::int64_t whole_of_real(double x, Rounding way, std::int64_t digits);

// For digits > 0: the nearer of the two quotients by 10^digits around x, or x if its last digit is
// worth more. If both are equally near as doubles, the one with the even last digit, as in R from
// 4.0.0 on. Monotone.
double rounded_real(double x, std::int64_t digits);

}  // namespace dp::query
