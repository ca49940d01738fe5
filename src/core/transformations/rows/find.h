// Index of each row in a public list of categories.
//
// Stability: row by row, so d_out = d_in (row_wise.h).
#pragma once

#include <vector>

#include "core/transformations/transformation.h"

namespace dp {

// Rows of integers, bool or text to their 0-based indices in `categories`, of type usize, or null
// for other rows. No categories: all rows are null.
//
// Throws make_transformation if a category occurs twice; failed_cast if one has a different type
// than the rows or if rows may be null; `type` for rows of floats or a metric that is not a
// distance between datasets.
Transformation make_find(const Domain& input_domain,
                         const Metric& input_metric,
                         const std::vector<Scalar>& categories);

}  // namespace dp
