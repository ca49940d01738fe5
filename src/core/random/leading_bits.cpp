#include "core/random/leading_bits.h"

namespace dp {

LeadingBits leading_bits(const Integer& a, const Integer& b) {
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
