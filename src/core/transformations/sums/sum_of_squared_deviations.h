// Sums of squared deviations from the mean, of bounded floats of known number.
//
// Stability, in the carrier type and rounded up, for n rows in [lower, upper] moved outward to
// width r (deviations.h):
//
//   d_out = floor(d_in / 2) r^2 (n - 1) / n + relaxation(n numbers in [0, r^2]) + mean effect
//
// d_in rows added and removed are at most floor(d_in / 2) substitutions; replacing one row moves
// the exact sum by at most (upper - lower)^2 (n - 1) / n. The relaxation is there at d_in = 0 too,
// because one multiset in two orders may give different results. The mean effect is 0 unless the
// bounds are very far from 0 for their width; the published map lacks it, and fails there.
//
// Source: Casacuberta, Shoemate, Vadhan and Wagaman (2022) for the sums; Honaker and Vadhan (2020),
// "Bootstrap inference and differential privacy", for the sensitivity.
#pragma once

#include "core/transformations/sums/float_sum_stability.h"
#include "core/transformations/transformation.h"

namespace dp {

// The mean is the sum over n in the order of `summation`; deviations and squares round to nearest
// and are summed in the same order. Reads the rows twice.
//
// Throws `type` unless rows are floats and the metric is the symmetric distance, failed_cast if
// `summation` is of another type or rows may be null, make_transformation if bounds or size are
// missing or the size is 0, failed_cast if it is above 2^53 or 2^24, overflow if n r^2 or n
// times a moved bound is not finite. At map time: overflow.
Transformation make_sum_of_squared_deviations(const Domain& input_domain,
                                              const Metric& input_metric,
                                              Summation summation);

}  // namespace dp
