// Covariances of two bounded float columns of known length.
//
// Stability, in the carrier type and rounded up, for n pairs whose columns' bounds are moved
// outward to widths r0 and r1 (deviations.h):
//
//   d_out = floor(d_in / 2) r0 r1 (n - 1) / n / (n - ddof)
//           + relaxation(n numbers in [0, r0 r1]) + mean effect / (n - ddof)
//
// Replacing one pair moves the exact sum of products of deviations by at most r0 r1 (n - 1) / n;
// the relaxation is not divided, which is loose but safe. On the mean effect, see there.
#pragma once

#include <cstdint>

#include "core/transformations/sums/float_sum_stability.h"
#include "core/transformations/transformation.h"

namespace dp {

// From pairs of floats of type `summation.type` (a tuple of two vectors of rows of one length),
// `size` of them within `bounds_0` and `bounds_1`, under the symmetric distance. Means are sums
// over the size, the covariance is the sum of products of deviations over size - ddof; sums are in
// the order of `summation`, all other operations round to nearest.
//
// Throws failed_cast if bounds have another type than the summation or the size is above 2^53
// or 2^24; make_transformation if the size is 0 or `ddof` not below it; make_domain if bounds are
// not in order, failed_function if one is NaN; overflow if the size times a moved bound or times
// r0 r1 is not finite. At map time: overflow. Invoked on columns of two lengths: failed_cast.
Transformation make_sized_bounded_covariance(std::uint64_t size,
                                             const Bounds& bounds_0,
                                             const Bounds& bounds_1,
                                             std::uint64_t ddof,
                                             Summation summation);

}  // namespace dp
