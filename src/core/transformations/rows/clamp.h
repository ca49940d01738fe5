// Clamps each row to public bounds.
//
// Stability: row by row, so d_out = d_in (row_wise.h).
#pragma once

#include "core/transformations/transformation.h"

namespace dp {

// Rows of any number type without NaN; the bounds replace earlier ones, even tighter ones.
//
// Throws, in this order: failed_function if the rows may be NaN, make_domain if lower > upper,
// failed_function if a bound is NaN; failed_cast if the bounds have another type than the rows.
// Invoked on a NaN that is not in the domain, the function throws failed_function.
Transformation make_clamp(const Domain& input_domain,
                          const Metric& input_metric,
                          const Bounds& bounds);

}  // namespace dp
