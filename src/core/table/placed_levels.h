// Columns of public levels without gaps, resized to a number of rows: the input of tables of
// counts.
//
// A level is a whole number of the column, from its lower to its upper bound (column_spec.h). Its
// index is its distance from the lower bound. Other values are gaps: a gap becomes the level of a
// uniform draw, as in make_prepare(), or has a separate index after all levels. Gaps are filled
// once, so that all tables made from the result count the same rows.
//
// Stability, under the change-one distance: d_out = d_in. Frames are resized to `n` rows as in
// make_resize(), where d_out = d_in. Afterwards each row is a random function of only that row.
#pragma once

#include <cstdint>
#include <vector>

#include "core/table/column_spec.h"
#include "core/transformations/transformation.h"

namespace dp {

enum class LevelGaps { imputed, own_place };

// Data frames with `columns`, of f64, to data frames of these columns with the indices of their
// levels, of f64: from 0 to upper - lower, or to one more if gaps have a separate index.
//
// Throws make_measurement as check_column_specs() does; make_transformation unless columns have
// whole numbers and `n` is at least 1.
Transformation make_place_levels(const std::vector<ColumnSpec>& columns,
                                 LevelGaps gaps,
                                 std::uint64_t n);

}  // namespace dp
