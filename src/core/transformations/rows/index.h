// The public category at the place that each row names.
//
// Stability: row by row, so d_out = d_in (row_wise.h).
#pragma once

#include <vector>

#include "core/transformations/transformation.h"

namespace dp {

// Rows of type usize to categories[row], of type `output_type`, or `null` for rows past the end.
// Categories may repeat and may be none.
//
// Throws `type` unless rows are of type usize and the metric is a distance between datasets;
// failed_cast if a category or `null` is not of type `output_type`, or if rows may be null.
Transformation make_index(const Domain& input_domain,
                          const Metric& input_metric,
                          const std::vector<Scalar>& categories,
                          const Scalar& null,
                          AtomType output_type);

}  // namespace dp
