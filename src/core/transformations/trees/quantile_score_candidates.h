// Scores of public candidates for a quantile: the distance of each from splitting the rows at
// alpha. Lower is better; made for selection by noisy minimum.
//
// With alpha = num / den, the score of c is
//
//   | (den - num) min(#{rows < c}, limit) - num min(#{rows > c}, limit) |
//
// in 64-bit integers, where rows equal to c count on neither side.
//
// Stability, in the largest change of any score, from the symmetric or insert-delete distance:
//
//   unknown size   d_out = d_in max(num, den - num)   one row moves one of the two counts by one
//   known size     d_out = floor(d_in / 2) den        one replaced row moves each by at most one
//
// The limit keeps scores in range and moves counts no further apart: it is the known size, or the
// largest number of rows without overflow in a product.
#pragma once

#include <vector>

#include "core/transformations/transformation.h"

namespace dp {

// From vectors of numbers without NaN to one score of type u64 per candidate, in their order, under
// LInfDistance<u64>. alpha is taken exactly if its denominator is below 10000, or below 2^64 / size
// for a known size, else cut to a multiple of one over that.
//
// Throws, in this order: make_transformation if rows may be NaN, if there are no candidates or they
// are not strictly increasing, if alpha is outside of [0, 1]; overflow if the size is 0. Throws
// failed_cast if candidates have another type than the rows or rows may be null; `type` unless rows
// are numbers of at most 64 bits and the metric is symmetric or insert-delete. At map time:
// overflow.
Transformation make_quantile_score_candidates(const Domain& input_domain,
                                              const Metric& input_metric,
                                              const std::vector<Scalar>& candidates,
                                              double alpha);

}  // namespace dp
