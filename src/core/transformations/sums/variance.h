// Variances of bounded floats of known number.
//
// Stability: the sum of squared deviations (sum_of_squared_deviations.h), followed by a float
// multiplication by 1 / (n - ddof), to nearest, of sums limited to [0, n (upper - lower)^2 / 4]
// (lipschitz_float_mul.h). No variance is larger: Popoviciu (1935), "Sur les equations algebriques
// ayant toutes leurs racines reelles".
#pragma once

#include <cstdint>

#include "core/transformations/sums/float_sum_stability.h"
#include "core/transformations/transformation.h"

namespace dp {

// `summation` is checked against the rows' type; sums are pairwise in either case, as published.
//
// Throws what make_sum_of_squared_deviations throws, make_transformation if `ddof` is not below the
// size, overflow if the largest sum is not finite.
Transformation make_variance(const Domain& input_domain,
                             const Metric& input_metric,
                             std::uint64_t ddof,
                             Summation summation);

}  // namespace dp
