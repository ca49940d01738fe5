// Discrete Laplace noise: P[X = x] = (1 - p) / (1 + p) * p^|x| with p = exp(-1 / scale).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/numeric/integer.h"
#include "core/random/bit_source.h"
#include "core/random/inversion.h"

namespace dp {

// One draw by the shortest exact algorithm, for any rational scale >= 0; scale 0 gives 0. Throws if
// the scale is negative. The yardstick of DiscreteLaplace, which has the same law and is faster.
// Source: Canonne, Kamath, Steinke (2020), Algorithm 2.
Integer discrete_laplace(const Rational& scale, BitSource& bits);

// The law of discrete_laplace(), fast, at any scale and for one draw or many.
//
// The magnitude is geometric, P[M >= k] = p^k, and is drawn as quotient and remainder by 2^j, which
// are independent: the quotient is geometric at scale / 2^j < 2^20 (inversion.h); the remainder is
// a j-bit uniform r kept with probability p^r. A sign follows, and (-, 0) starts over.
class DiscreteLaplace {
 public:
  // Throws if `scale` is negative.
  explicit DiscreteLaplace(const Rational& scale);

  Integer draw(BitSource& bits) const;

  // True if the scale is at most 2^55: then a draw leaves the range of int64 with a probability
  // below 2^-360.
  bool fits_int64() const { return fits_int64_; }

  // `size` draws. Throws if fits_int64() is false, and ErrorKind::overflow in the event that it
  // excludes.
  void fill(std::int64_t* out, std::size_t size, BitSource& bits) const;

  // One draw, under the conditions of fill().
  std::int64_t draw_int64(BitSource& bits) const;

 private:
  friend class DiscreteGaussian;
  friend class LaplaceBlocks;

  DiscreteLaplace(Integer a, Integer b);  // scale a / b, b > 0

  static constexpr unsigned kWordRemainderBits = 40;  // at most, for remainder()

  // The remainder below 2^j that `word` begins, 0 < j <= kWordRemainderBits, or one from fresh
  // words.
  std::uint64_t remainder(std::uint64_t word, BitSource& bits) const {
    return has_open_guard(word << remainder_bits_) ? word >> (64 - remainder_bits_)
                                                   : decide_remainder(word, bits);
  }
  std::uint64_t decide_remainder(std::uint64_t word, BitSource& bits) const;
  // Whether U < exp(-r / scale) for the uniform U with these first `known` bits, if they tell.
  std::optional<bool> keeps_remainder(std::uint64_t r, std::uint64_t prefix, unsigned known) const;
  bool can_join(std::uint64_t quotient) const { return quotient >> (63 - remainder_bits_) == 0; }
  std::int64_t join(std::uint64_t quotient, std::uint64_t remainder) const {
    if (!can_join(quotient)) refuse_draw();
    return static_cast<std::int64_t>(quotient << remainder_bits_ | remainder);
  }
  [[noreturn]] static void refuse_draw();

  // A remainder r is kept if U < exp(-r / scale). Because r < 2^j and scale > 2^(j + 18), this
  // holds for every U whose first 18 bits, from `word`, are not all ones.
  static bool has_open_guard(std::uint64_t word) {
    constexpr unsigned kGuardBits = 18;
    return word >> (64 - kGuardBits) != (1u << kGuardBits) - 1 && certified_slack == 0;
  }
  Integer large_remainder(BitSource& bits) const;

  unsigned remainder_bits_ = 0;        // j
  std::optional<Inversion> quotient_;  // none at scale 0
  bool fits_int64_;
};

}  // namespace dp
