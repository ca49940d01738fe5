// Casts each row to another carrier type; values without a counterpart become null.
//
// Stability: row by row, so d_out = d_in (row_wise.h).
#pragma once

#include "core/transformations/transformation.h"

namespace dp {

// Rows of any type to rows of type `output_type` that may be null, by round_cast (numeric/cast.h):
// null if there is no such value, or if it would be NaN. Bounds are lost.
//
// Throws failed_cast unless `input_domain` is a vector of atoms, `type` unless `input_metric` is a
// distance between datasets.
Transformation make_cast(const Domain& input_domain,
                         const Metric& input_metric,
                         AtomType output_type);

}  // namespace dp
