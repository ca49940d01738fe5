// The cell of a table of several variables that each row falls into.
//
// Stability, under the change-one distance: row by row, so d_out = d_in (row_wise.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/transformations/transformation.h"

namespace dp {

// Data frames of `n` rows with `variables`, columns of f64 with places of levels from 0
// (placed_levels.h), to the number of each row's cell, of type usize: the place in the first
// variable, plus its size times the place in the second, and so on, as R lays out arrays. A row
// with anything but a place below the size has the number of all cells. Frames of another number of
// rows are refused, as what is outside of the domain: neighbours have equally many.
//
// Throws make_transformation unless there are as many sizes as variables, one or more, sizes are at
// least 1, and there are at most 2^53 cells.
Transformation make_cross_classify(const std::vector<std::string>& variables,
                                   const std::vector<std::uint64_t>& sizes,
                                   std::uint64_t n);

}  // namespace dp
