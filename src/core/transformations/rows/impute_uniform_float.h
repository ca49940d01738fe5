// Replaces NaN by independent uniform draws between public bounds.
//
// Stability: each NaN has an independent draw that does not use other rows, so two datasets can
// share the draws of their common rows: row by row, d_out = d_in (row_wise.h).
#pragma once

#include "core/transformations/transformation.h"

namespace dp {

// Rows of floats to rows that are not NaN: a NaN becomes a uniform draw from the multiples of
// 2^(e - p) in [lower, upper), where e is least with |lower|, |upper| <= 2^e and p is 53 or 24.
// These are numbers of the rows' type, drawn as integers, so nothing is rounded. There is always
// one: e's choice puts either the bound of larger magnitude or the power of two below it on the
// grid. Other rows stay as they are, within the bounds or not, and the output domain has no bounds.
//
// Throws make_transformation unless the bounds are finite, upper - lower too, and lower < upper;
// failed_cast if they have another type than the rows or if rows may be null; `type` unless rows
// are floats and the metric is a distance between datasets. Invoked without entropy, the function
// throws `entropy`, where the reference would fall back to `lower`.
Transformation make_impute_uniform_float(const Domain& input_domain,
                                         const Metric& input_metric,
                                         const Bounds& bounds);

}  // namespace dp
