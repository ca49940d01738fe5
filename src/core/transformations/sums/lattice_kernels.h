// Rows of doubles to integers on the public lattice, at the speed of memory.
//
// To one row every kernel does the same: a NaN becomes `fill`, the number is clamped (a NaN that
// is left to `lower`) and rounded as Lattice::index() does. The results are integers, so all
// instruction sets give the same ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "core/numeric/lattice.h"

namespace dp {

struct LatticeRule {
  double lower;       // finite and ordered, of
  double upper;       // magnitude at most 2^51 steps
  double reciprocal;  // Lattice::reciprocal()
  double fill = std::numeric_limits<double>::quiet_NaN();
};

struct LatticeTotal {
  int128_t sum;
  bool nan;  // whether a row was NaN, filled or not
};

struct LatticeMoments {
  int128_t sum;
  uint128_t squares;  // the sum of the squares
};

struct LatticeKernels {
  const char* name;
  LatticeTotal (*sum)(const double* rows, std::size_t size, const LatticeRule& rule);
  // Moments of at most 2^24 rows, whose squares fit 128 bits.
  LatticeMoments (*moments)(const double* rows, std::size_t size, const LatticeRule& rule);
  void (*index)(const double* rows,
                std::size_t size,
                const LatticeRule& rule,
                std::int64_t* indices);
};

// For the widest instruction set of this machine.
LatticeKernels lattice_kernels();

// All that this machine can run, for tests and benchmarks.
std::vector<LatticeKernels> available_lattice_kernels();

// One row.
inline std::int64_t lattice_index(double row, const LatticeRule& rule) {
  double v = row != row ? rule.fill : row;
  v = v > rule.lower ? v : rule.lower;
  v = v < rule.upper ? v : rule.upper;
  const double shifted = v * rule.reciprocal + kLatticeShift;
  std::uint64_t bits;
  std::memcpy(&bits, &shifted, sizeof(bits));
  return static_cast<std::int64_t>(bits - kLatticeShiftBits);
}

}  // namespace dp
