// Casts each row to a float; values without a counterpart become NaN, the missing value of floats.
//
// Stability: row by row, so d_out = d_in (row_wise.h).
#pragma once

#include "core/transformations/transformation.h"

namespace dp {

// Rows of any type to rows of the float type `output_type`, by round_cast (numeric/cast.h). Bounds
// are lost.
//
// Throws failed_cast unless `input_domain` is a vector of atoms, `type` unless `output_type` is a
// float and `input_metric` a distance between datasets.
Transformation make_cast_inherent(const Domain& input_domain,
                                  const Metric& input_metric,
                                  AtomType output_type);

}  // namespace dp
