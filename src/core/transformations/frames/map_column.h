// Data frames with one column replaced, row by row.
#pragma once

#include "core/transformations/transformation.h"

namespace dp {

// From `input_domain`, of data frames, to itself: what `operators`, which turn rows of type
// `input_type` into others as mapped_rows() demands, make of column `column_name`, each time it is
// read. d_out = d_in.
//
// Throws failed_cast unless `input_domain` is of data frames and `column_name` of the type of their
// names; `type` unless the metric is symmetric or insert-delete. Invoked on a frame without the
// column: failed_function; with a column of another type: failed_cast.
Transformation make_map_column(const Domain& input_domain,
                               const Metric& input_metric,
                               const Scalar& column_name,
                               AtomType input_type,
                               const Function& operators);

}  // namespace dp
