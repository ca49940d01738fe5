// Replaces missing rows by a public constant.
//
// Stability: row by row, so d_out = d_in (row_wise.h).
#pragma once

#include "core/transformations/transformation.h"

namespace dp {

// Rows of any type that may be null, or of floats, to rows that are neither null nor NaN. A NaN
// that is present in a row that may be null is missing, too. Bounds are lost.
//
// Throws make_transformation if `constant` is NaN, failed_cast if it has another type than the
// rows, `type` unless rows can be missing and `input_metric` is a distance between datasets.
Transformation make_impute_constant(const Domain& input_domain,
                                    const Metric& input_metric,
                                    const Scalar& constant);

}  // namespace dp
