// The public lattice of the statistics: multiples of a power of two fixed by public bounds.
//
// Each clamped record is rounded to an integer number of steps, independently of the others. From
// there on everything is integer arithmetic until the release. So a sum does not depend on the
// order of its terms, its sensitivity is an integer, and every release is a multiple of a public
// step.
#pragma once

#include <cstdint>

#include "core/numeric/integer.h"

namespace dp {

struct Lattice {
  int exponent;  // the step is 2^exponent; between -1022 and 973

  // Round to the nearest step, ties to even, of a value within the bounds: monotone, and at most
  // 2^51 in magnitude. Total: outside of the bounds, or for NaN, the result is meaningless but
  // defined.
  //
  // This is the block kernel for one value: add 1.5 * 2^52, where doubles are the integers, and
  // read the integer off the bits. Multiplication by a power of two is exact, or its result is so
  // small that it rounds to 0 all the same: fused or not, the index is one.
  std::int64_t index(double v) const;
  double reciprocal() const;  // 2^-exponent, the kernel's factor

  double value(int128_t index) const;  // nearest double, ties to even; never -0
  double value(const Integer& index) const;
  Rational exact_value(int128_t index) const;
};

// The number that the kernel adds, and then subtracts from the bits of the sum.
inline constexpr double kLatticeShift = 0x1.8p52;
inline constexpr std::uint64_t kLatticeShiftBits = 0x4338000000000000;

// The finest lattice on which both bounds have at most 51 bits: exponent e - 51 where
// max(|lower|, |upper|) < 2^e. Never below -1022, so that the reciprocal is a double: finer steps
// would only serve bounds below 2^-971. Throws make_domain unless the bounds are finite and
// ordered.
Lattice lattice_for(double lower, double upper);

}  // namespace dp
