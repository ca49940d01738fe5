// Positive numbers of nearly any magnitude, whose operations round down: for sums of weights that
// span more than a double holds, and whose error must be known.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>

#include "core/numeric/int128.h"
#include "core/numeric/integer.h"

namespace dp {

// Integers of exactly `Bits` bits, which wrap.
template <unsigned Bits>
using FixedWord = boost::multiprecision::number<
    boost::multiprecision::cpp_int_backend<Bits,
                                           Bits,
                                           boost::multiprecision::unsigned_magnitude,
                                           boost::multiprecision::unchecked,
                                           void>,
    boost::multiprecision::et_off>;

// Number of bits of a word, and a type for products of two words.
template <class Word>
struct FloorWord;
template <>
struct FloorWord<std::uint64_t> {
  static constexpr unsigned kBits = 64;
  using Product = uint128_t;
};
template <>
struct FloorWord<FixedWord<256>> {
  static constexpr unsigned kBits = 256;
  using Product = FixedWord<512>;
};

// mantissa * 2^exponent, where the highest bit of the mantissa is set, or 0. A result is at most
// the real one, and less than it by no more than a share of 2^(2 - kBits). Exponents must stay
// within 62 bits.
template <class Word>
struct FloorNumber {
  static constexpr unsigned kBits = FloorWord<Word>::kBits;

  Word mantissa{};
  std::int64_t exponent = 0;

  friend FloorNumber operator*(const FloorNumber& a, const FloorNumber& b) {
    if (a.mantissa == 0 || b.mantissa == 0) return {};
    using Product = typename FloorWord<Word>::Product;
    const Product product = Product(a.mantissa) * Product(b.mantissa);
    const unsigned high = (product >> (2 * kBits - 1)) != 0 ? 1 : 0;
    return {static_cast<Word>(product >> (kBits - 1 + high)),
            a.exponent + b.exponent + static_cast<std::int64_t>(kBits - 1 + high)};
  }

  friend FloorNumber operator+(const FloorNumber& a, const FloorNumber& b) {
    if (a.mantissa == 0) return b;
    if (b.mantissa == 0) return a;
    const FloorNumber& larger = a.exponent >= b.exponent ? a : b;
    const FloorNumber& smaller = a.exponent >= b.exponent ? b : a;
    const std::int64_t apart = larger.exponent - smaller.exponent;
    if (apart >= static_cast<std::int64_t>(kBits)) return larger;
    const Word addend = static_cast<Word>(smaller.mantissa >> static_cast<unsigned>(apart));
    const Word sum = static_cast<Word>(larger.mantissa + addend);
    if (sum >= addend) return {sum, larger.exponent};
    // The carry is the highest bit of the next exponent.
    const Word top = static_cast<Word>(Word{1} << (kBits - 1));
    return {static_cast<Word>((sum >> 1) | top), larger.exponent + 1};
  }

  friend bool operator<(const FloorNumber& a, const FloorNumber& b) {
    if (a.mantissa == 0 || b.mantissa == 0) return a.mantissa < b.mantissa;
    return a.exponent != b.exponent ? a.exponent < b.exponent : a.mantissa < b.mantissa;
  }
};

}  // namespace dp
