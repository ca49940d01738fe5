// Sums of products of deviations from computed means: the effect of rounding on their stability.
//
// Let x be n rows in [lower, upper] of width R, computed in T with unit roundoff u. Their computed
// mean differs from the exact one by at most 2 e, where e = error / n and `error` bounds the
// rounding of the sum (float_sum_stability.h): e is at least the error of the sum over n, and at
// least half of the rest, the rounding of the division. The published maps of the sum of squared
// deviations and of the covariance work with bounds moved outward by e, of width r >= R, and have
//
//   a term for replaced rows    floor(d_in / 2) r0 r1 (n - 1) / n, at least as in exact
//                               arithmetic
//   a relaxation                2 error(n numbers in [0, r0 r1]) >= 4 max(1, log2 n) u n r0 r1
//
// The sum of products about computed means is the sum about exact ones plus n times the product of
// the two means' errors, at most 4 n e0 e1. Rounding of deviations, products, additions and the
// last division moves it at most by a factor of gamma_(h + 4), h <= log2(n) + 1 for pairwise sums,
// of the sum of magnitudes, at most n R0 R1 / 4. On both sides together this leaves at least u n r0
// r1 of the relaxation unused for n >= 2 (and there is nothing to round for n = 1). So the
// published map holds if 4 e0 e1 <= u r0 r1: if the rows are not too far from 0 for their width.
// Otherwise it does not (permuting rows near 1e10 of width 1e-6 moves the result further), and 4 n
// e0 e1 is added.
#pragma once

#include <cstdint>

#include "core/engine/function.h"
#include "core/transformations/sums/float_sum_stability.h"

namespace dp {

// The bounds of one column, as the published maps move them.
template <class T>
struct MovedBounds {
  T error;  // e
  T width;  // r
};

// Throws failed_cast if n is above 2^53 or 2^24; overflow if n times a moved bound is not
// finite. n >= 1.
template <class T>
MovedBounds<T> move_bounds(SumOrder order, std::uint64_t n, T lower, T upper);

// r0 r1 (n - 1) / n, rounded up: what one replaced row does. Throws overflow if r0 r1 n is not
// finite.
template <class T>
T replaced_row_effect(std::uint64_t n, const MovedBounds<T>& x, const MovedBounds<T>& y);

// The published relaxation of the sum.
template <class T>
T product_relaxation(SumOrder order,
                     std::uint64_t n,
                     const MovedBounds<T>& x,
                     const MovedBounds<T>& y);

// 4 n e0 e1, rounded up, or 0 if the published relaxation covers it.
template <class T>
T mean_effect(std::uint64_t n, const MovedBounds<T>& x, const MovedBounds<T>& y);

// The sum of rows of type `summation.type` in the given order, without saturation.
Function plain_float_sum(Summation summation);

}  // namespace dp
