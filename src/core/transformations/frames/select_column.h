// One column of a data frame.
//
// Stability: a row of the frame has one row of the column, so d_out = d_in.
#pragma once

#include "core/transformations/transformation.h"

namespace dp {

// From frames with names of type `key_type` to the rows of column `key`, which must have type
// `output_type`. Rows are not copied, or are made as they are read.
//
// Throws `type` unless `key_type` can name columns and `output_type` is a type of rows, failed_cast
// if `key` is not of type `key_type`. Invoked on a frame without the column: failed_function; with
// a column of a different type: failed_cast. Both depend on the columns of the frame, not on its
// rows.
Transformation make_select_column(const Scalar& key, AtomType key_type, AtomType output_type);

}  // namespace dp
