// Whether each row is missing: a null, or NaN.
//
// Stability: row by row, so d_out = d_in (row_wise.h).
#pragma once

#include "core/transformations/transformation.h"

namespace dp {

// Rows of any type that may be null, or of floats, to bool.
//
// Throws `type` unless rows can be missing and `input_metric` is a distance between datasets.
Transformation make_is_null(const Domain& input_domain, const Metric& input_metric);

}  // namespace dp
