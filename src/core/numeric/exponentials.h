// exp(rate x) for many whole numbers x, of nearly any magnitude and from below.
#pragma once

#include <array>
#include <cstdint>

#include "core/numeric/enclosure.h"
#include "core/numeric/floor_number.h"
#include "core/numeric/rational.h"

namespace dp {

// exp(rate x) or exp(-rate x) for whole x up to a most: a product of eight numbers, one for each
// byte of x, whatever x is. At or below the real value by a share of 2060 * 2^(2 - kBits) at most.
template <class Word>
class Exponentials {
 public:
  using Number = FloorNumber<Word>;

  Exponentials(const Rational& rate, std::uint64_t most) {
    for (unsigned byte = 0; byte < kBytes; ++byte) {
      std::array<Number, 256>& powers = tables_[byte];
      powers[0] = one();
      const std::uint64_t unit = std::uint64_t{1} << (8 * byte);
      if (unit > most) continue;
      const Number factor = exponential(rate * Integer(unit));
      for (std::uint64_t times = 1; times < 256 && times <= most / unit; ++times) {
        powers[times] = powers[times - 1] * factor;
      }
    }
  }

  Number operator()(std::uint64_t x) const {
    Number product = tables_[0][x & 255];
    for (unsigned byte = 1; byte < kBytes; ++byte) {
      product = product * tables_[byte][(x >> (8 * byte)) & 255];
    }
    return product;
  }

 private:
  static constexpr unsigned kBytes = 8;
  static constexpr unsigned kBits = Number::kBits;

  static Number one() {
    return {static_cast<Word>(Word{1} << (kBits - 1)), 1 - static_cast<std::int64_t>(kBits)};
  }

  // exp(x) = 2^k exp(x - k ln 2), from below.
  static Number exponential(const Rational& x) {
    constexpr unsigned kPrecision = 512;
    static const Enclosure ln2 = log(Rational(2), kPrecision);
    const Rational about_ln2(Integer("693147180559945309417232121458"),
                             Integer("1000000000000000000000000000000"));
    const Integer k = floor(x / about_ln2);
    const Enclosure rest = enclose(x) - enclose(Rational(k)) * ln2;
    int exponent = 0;
    const Real fraction = frexp(exp(rest, kPrecision).lower, &exponent);
    const Integer mantissa(ldexp(fraction, static_cast<int>(kBits)));
    return {static_cast<Word>(mantissa),
            static_cast<std::int64_t>(k) + exponent - static_cast<std::int64_t>(kBits)};
  }

  std::array<std::array<Number, 256>, kBytes> tables_{};
};

template <class Word>
struct ExponentialPair {
  ExponentialPair(const Rational& rate, std::uint64_t most) : rise(rate, most), fall(-rate, most) {}

  Exponentials<Word> rise;
  Exponentials<Word> fall;
};

}  // namespace dp
