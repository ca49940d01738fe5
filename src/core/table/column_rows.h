// One column of a data frame as a vector, for steps that look at a single column.
//
// Stability, under the change-one distance: a row that is replaced changes its own element and no
// other, so d_out = d_in. Of frames that have another number of rows than is wanted, a random
// choice of places decides which are kept, and that choice looks at no value.
#pragma once

#include <cstdint>
#include <string>

#include "core/transformations/transformation.h"

namespace dp {

// Data frames with a column of f64 of this name, NaN among its values, to the `n` rows of it.
// Superfluous rows are dropped at random, and those that are not there are NaN (sized_columns.h).
// What columns there are besides is not looked at.
Transformation make_column_rows(const std::string& column, std::uint64_t n);

}  // namespace dp
