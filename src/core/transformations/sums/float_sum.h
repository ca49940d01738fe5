// Sums of bounded floating-point rows, one by one in the documented orders.
//
// Stability, in the carrier type and rounded up, with mag = max(|lower|, upper)
// and the relaxation of float_sum_stability.h for `size` or `size_limit` rows:
//
//   unknown size   d_out = d_in * max(upper - lower, mag) + relaxation
//   known size     d_out = floor(d_in / 2) * (upper - lower) + relaxation
//
// Of unknown many rows at most `size_limit` are added, so that the relaxation
// is bounded. Then one row more may displace another, which moves the exact sum
// by at most upper - lower. The relaxation is there at d_in = 0 too: equal
// multisets in two orders may sum to different numbers.
//
//   checked   at most `size_limit` rows drawn uniformly; construction proves
//   that no addition
//             overflows
//   ordered   the first `size_limit` rows, additions saturate at the largest
//   finite numbers: those
//             from left to right each, as x -> clamp(x + row) is 1-Lipschitz;
//             those in pairs, where bounds of both signs could overflow, only
//             at the end. The reference saturates inside of the tree, too, and
//             its map does not cover that: with bounds (-0.3 M, 0.49 M), M the
//             largest number, 1024 rows and one row moved, its sums are M
//             apart, and its map at 2 says 0.79 M
//
// Both orders of addition start from the rows as they come: `sequential` is the
// left fold from 0, `pairwise` splits n rows into the first floor(n / 2) and
// the rest.
//
// Throw, in this order: failed_cast if `bounds` are not of the summation's
// carrier; checked only: make_transformation if the sum could overflow,
// failed_function for a NaN bound, overflow if no finite power of two bounds
// the rows; overflow if upper - lower is not finite; failed_cast if the number
// of rows is above 2^53 or 2^24; overflow if the relaxation is not finite
// or a pairwise sum has no rows; make_domain if lower > upper. At map time:
// overflow.
#pragma once

#include <cstdint>

#include "core/transformations/sums/float_sum_stability.h"
#include "core/transformations/transformation.h"

namespace dp {

// From the symmetric distance.
Transformation make_bounded_float_checked_sum(std::uint64_t size_limit,
                                              const Bounds &bounds,
                                              Summation summation);
Transformation make_sized_bounded_float_checked_sum(std::uint64_t size,
                                                    const Bounds &bounds,
                                                    Summation summation);

// From the insert-delete distance.
Transformation make_bounded_float_ordered_sum(std::uint64_t size_limit,
                                              const Bounds &bounds,
                                              Summation summation);
Transformation make_sized_bounded_float_ordered_sum(std::uint64_t size,
                                                    const Bounds &bounds,
                                                    Summation summation);

// float_sum_can_overflow() of float_sum_stability.h, for bounds in scalars.
bool float_sum_can_overflow(std::uint64_t size, const Bounds &bounds, Summation summation);

}  // namespace dp
