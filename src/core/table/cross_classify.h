// The cell of each row in a table of several variables.
//
// Stability, under the change-one distance: row by row, so d_out = d_in (row_wise.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/transformations/transformation.h"

namespace dp {

// Data frames of `n` rows with `variables`, columns of f64 with level indices from 0
// (placed_levels.h), to the number of each row's cell, of type usize: the index in the first
// variable, plus its size times the index in the second, and so on, like arrays in R. A row with
// any other value has the number of all cells. Frames with a different number of rows throw as
// non-members of the domain: neighbours have equally many.
//
// Throws make_transformation unless sizes and variables are equally many, at least one, sizes are
// at least 1, and there are at most 2^53 cells.
Transformation make_cross_classify(const std::vector<std::string>& variables,
                                   const std::vector<std::uint64_t>& sizes,
                                   std::uint64_t n);

}  // namespace dp
