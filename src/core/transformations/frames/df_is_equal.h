// Compares one column of a data frame with a public value.
//
// Stability: row by row, so d_out = d_in.
#pragma once

#include "core/transformations/transformation.h"

namespace dp {

// Applies make_is_equal (is_equal.h) to column `column_name`, of type `input_type`. The result has
// type bool; other columns stay.
//
// Throws failed_cast if `value` is not of type `input_type`, `type` unless that is a type of rows;
// otherwise as make_map_column (map_column.h).
Transformation make_df_is_equal(const Domain& input_domain,
                                const Metric& input_metric,
                                const Scalar& column_name,
                                const Scalar& value,
                                AtomType input_type);

}  // namespace dp
