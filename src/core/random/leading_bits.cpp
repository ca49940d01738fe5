#include "core/random/leading_bits.h"

namespace dp {
namespace {

LeadingBits of_words(std::uint64_t a, std::uint64_t b) {
  const int a_zeros = __builtin_clzll(a);
  const int b_zeros = __builtin_clzll(b);
  a <<= a_zeros;
  b <<= b_zeros;
  // Both in [2^63, 2^64); the quotient of the significands is in [1, 2) or in [1/2, 1).
  const int whole = a >= b ? 1 : 0;
  const uint128_t dividend = static_cast<uint128_t>(a) << (64 - whole);
  const auto quotient = static_cast<std::uint64_t>(dividend / b);
  return {quotient, b_zeros - a_zeros + whole, static_cast<uint128_t>(quotient) * b == dividend};
}

}  // namespace

LeadingBits leading_bits(const Integer& a, const Integer& b) {
  if (fits_word(a) && fits_word(b)) {
    return of_words(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b));
  }
  const auto length = static_cast<std::int64_t>(msb(a)) - static_cast<std::int64_t>(msb(b));
  // a / b lies in (2^(length - 1), 2^(length + 1)): the quotient has 63 or 64 bits at this shift.
  const std::int64_t shift = 63 - length;
  Integer scaled_a = shift > 0 ? Integer(a << shift) : a;
  const Integer scaled_b = shift < 0 ? Integer(b << -shift) : b;
  Integer quotient;
  Integer rest;
  divide_qr(scaled_a, scaled_b, quotient, rest);
  if (msb(quotient) == 63) {
    return {static_cast<std::uint64_t>(quotient), length + 1, rest == 0};
  }
  scaled_a <<= 1;
  divide_qr(scaled_a, scaled_b, quotient, rest);
  return {static_cast<std::uint64_t>(quotient), length, rest == 0};
}

}  // namespace dp
