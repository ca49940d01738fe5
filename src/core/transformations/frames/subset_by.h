// The rows of a data frame that an indicator column selects.
//
// Stability: whether a row stays is a function of only this row, so d_out = d_in.
#pragma once

#include <vector>

#include "core/transformations/transformation.h"

namespace dp {

// From frames with names of type `key_type` to frames of the columns `keep_columns`, and the rows
// whose column `indicator_column`, of type bool, is true; the indicator stays only if it is
// named. Columns that are longer than the shortest of these are cut. The indicator is read once,
// when the function is invoked; the others on demand.
//
// Throws `type` unless `key_type` can name columns, failed_cast if a name has a different type.
// Invoked on a frame without one of the columns: failed_function; with an indicator of a different
// type: failed_cast.
Transformation make_subset_by(const Scalar& indicator_column,
                              const std::vector<Scalar>& keep_columns,
                              AtomType key_type);

}  // namespace dp
