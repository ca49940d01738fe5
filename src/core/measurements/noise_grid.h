// The grid on which noise is added: the multiples of 2^k, held as integers.
#pragma once

#include <optional>

#include "core/domains/atom_type.h"
#include "core/numeric/integer.h"

namespace dp {

// The floats that the grid can hold exactly are the multiples of 2^k; integers are their own grid.
struct NoiseGrid {
  int exponent;    // k
  Rational step;   // 2^k
  Rational shift;  // by how much rounding to the grid may move two numbers of the type apart
};

// `k` defaults to the exponent of the smallest subnormal of a float type, where rounding is exact,
// and to 0 for integers.
//
// Two floats differ by a multiple of their finest spacing 2^k_min, and floor(x / 2^k + 1/2) moves
// such a difference by less than one step: by 2^k - 2^k_min at most.
//
// Throws make_measurement: a `k` other than 0 for integers; below the smallest subnormal; or with a
// step beyond the largest finite float, which could hold no datum but 0.
NoiseGrid noise_grid(AtomType type, std::optional<int> k);

// floor(x / 2^k + 1/2): the nearest grid point, ties toward +infinity. Infinite x counts as the
// largest finite one; x is not NaN.
template <class T>
Integer grid_index(T x, int k);

// The float nearest to index * 2^k, ties to even, overflowing to an infinity.
template <class T>
T grid_value(const Integer& index, int k);

}  // namespace dp
