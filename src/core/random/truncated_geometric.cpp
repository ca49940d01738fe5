#include "core/random/truncated_geometric.h"

#include <algorithm>
#include <cstdint>

namespace dp {
namespace {

constexpr unsigned kCoinBits = 128;

unsigned length_of(uint128_t x) {
  unsigned length = 0;
  for (; x != 0; x >>= 1) ++length;
  return length;
}

Integer ceil_shift(const Integer& x, unsigned count) {
  return (x + (Integer(1) << count) - 1) >> count;
}

// The two lowest words of x, or of the largest number that has only two.
uint128_t word_pair(const Integer& x) {
  const Integer pair = std::min<Integer>(x, (Integer(1) << kCoinBits) - 1);
  const Integer low = pair & Integer(UINT64_MAX);
  return (uint128_t{static_cast<std::uint64_t>(pair >> 64)} << 64) |
         static_cast<std::uint64_t>(low);
}

}  // namespace

TruncatedGeometric::TruncatedGeometric(double p, uint128_t bound)
    : q_(1 - exact_rational(p)), bound_(bound) {
  const unsigned digits = length_of(bound);
  coins_.resize(digits + 1);
  for (unsigned i = 0; i <= digits; ++i) {
    const Interval interval = probability(i, kCoinBits);
    coins_[i] = {word_pair(interval.lower), word_pair(std::max<Integer>(interval.upper, 1) - 1)};
  }
}

// Each squaring of an interval [a, b] in [0, 1] at most doubles its width and adds two units, so i
// of them leave less than 2^(i + 2) units of 2^-w: fewer than 1 of 2^-bits. q / (1 + q) has a slope
// of at most 1.
TruncatedGeometric::Interval TruncatedGeometric::probability(unsigned i, unsigned bits) const {
  const unsigned w = bits + i + 4;
  const Integer one = Integer(1) << w;
  Integer lower = floor(q_ * one);
  Integer upper = ceil(q_ * one);
  for (unsigned k = 0; k < i; ++k) {
    lower = (lower * lower) >> w;
    upper = ceil_shift(upper * upper, w);
  }
  if (i == digits()) return {lower >> (w - bits), ceil_shift(upper, w - bits)};
  return {(lower << bits) / (one + lower), (upper << bits) / (one + upper) + 1};
}

uint128_t TruncatedGeometric::draw(BitSource& bits) const {
  uint128_t drawn = 0;
  for (unsigned i = 0; i < digits(); ++i) drawn |= uint128_t{flip(i, bits)} << i;
  const uint128_t above = uint128_t{0} - uint128_t{flip(digits(), bits)};  // all ones, or none
  return std::min(drawn | above, bound_);
}

bool TruncatedGeometric::flip(unsigned i, BitSource& bits) const {
  const std::uint64_t high = bits.word();
  const uint128_t prefix = (uint128_t{high} << 64) | bits.word();
  const unsigned below = prefix < coins_[i].lower ? 1 : 0;
  const unsigned above = prefix > coins_[i].last ? 1 : 0;
  if (__builtin_expect((below | above) == 0, 0)) return decide(i, prefix, bits);
  return below != 0;
}

bool TruncatedGeometric::decide(unsigned i, uint128_t prefix, BitSource& bits) const {
  Integer u = (Integer(static_cast<std::uint64_t>(prefix >> 64)) << 64) |
              Integer(static_cast<std::uint64_t>(prefix));
  for (unsigned count = kCoinBits + 64;; count += 64) {
    u = (u << 64) | bits.word();
    const Interval interval = probability(i, count);
    if (u < interval.lower) return true;
    if (u >= interval.upper) return false;
  }
}

}  // namespace dp
