// The mean of a known number of bounded floating-point rows.
#pragma once

#include "core/transformations/transformation.h"

namespace dp {

// make_sum, then a multiplication by 1 / size rounded to nearest (lipschitz_float_mul.h) of the sum
// clamped to [size * lower, size * upper]. It always divides by the declared size.
//
// Stability: the two steps together, about floor(d_in / 2) * (upper - lower) / size.
//
// Throws `type` unless the rows are floats under the symmetric or the insert-delete distance,
// failed_cast if they may be null, make_transformation if the size is unknown or 0 or the bounds
// are unknown, failed_cast if the size is above 2^53 or 2^24, overflow if size times a bound is not
// finite; then as make_sum and make_lipschitz_float_mul.
Transformation make_mean(const Domain& input_domain, const Metric& input_metric);

}  // namespace dp
