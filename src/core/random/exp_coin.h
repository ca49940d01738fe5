// Coins that come up with probability exp(-x), many of them, where x is cheap to enclose and dear
// to know.
#pragma once

#include <cstdint>

#include "core/numeric/integer.h"
#include "core/random/bit_source.h"
#include "core/random/lazy_uniform.h"
#include "core/random/neg_log.h"

namespace dp {

// An interval for a number x >= 0. `upper` is 0 only if x is.
struct ExponentBounds {
  double lower;
  double upper;
};

// True with probability exp(-x), exactly, for the rational x >= 0 that `exact()` returns and
// `bounds` enclose. One word of a uniform U decides between U < exp(-x) and not, by a certified
// interval for -ln U (PROOFS.md, section 2), unless the intervals overlap: then x is asked for, and
// U is extended until the answer is certain. Needs a word, or none if x is 0.
template <class Exact>
bool exp_coin(const ExponentBounds& bounds, Exact&& exact, BitSource& bits) {
  constexpr double kUnits = 0x1p57;  // of -ln U
  constexpr double kFar = 64;        // above 64 ln 2, the -ln of the least word but 0
  if (bounds.upper == 0) return true;
  const std::uint64_t word = bits.word();
  if (word != 0) {
    const FixedInterval log = neg_log(word, 0);
    if (bounds.upper < kFar && log.lower > static_cast<std::uint64_t>(bounds.upper * kUnits) + 1) {
      return true;
    }
    const double least = bounds.lower < kFar ? bounds.lower : kFar;
    if (log.upper < static_cast<std::uint64_t>(least * kUnits)) return false;
  }
  const Rational x = exact();
  LazyUniform u(word, 64, bits);
  return is_below_exp(u, numerator(x), denominator(x));
}

}  // namespace dp
