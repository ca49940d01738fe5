// Data frames with one column replaced, row by row.
#pragma once

#include "core/transformations/transformation.h"

namespace dp {

// From `input_domain`, of data frames, to itself, with column `column_name` replaced by the result
// of `operators`, each time it is read. The operators turn rows of type `input_type` into others,
// as mapped_rows() requires. d_out = d_in.
//
// Throws failed_cast unless `input_domain` has data frames and `column_name` the type of their
// names; `type` unless the metric is symmetric or insert-delete. Invoked on a frame without the
// column: failed_function; with a column of a different type: failed_cast.
Transformation make_map_column(const Domain& input_domain,
                               const Metric& input_metric,
                               const Scalar& column_name,
                               AtomType input_type,
                               const Function& operators);

}  // namespace dp
