// Columns of public levels, brought to a number of rows and without gaps: what tables of counts
// classify rows by.
//
// A level is a whole number of the column, from its lower to its upper bound (column_spec.h). Its
// place is how far it is above the lower bound. What is no number is a gap: it becomes the level of
// a uniform draw, as in make_prepare(), or has a place of its own behind all levels. Gaps are
// filled once, so that all tables that are made of the result count the same rows.
//
// Stability, under the change-one distance: d_out = d_in. Frames are brought to `n` rows as by
// make_resize(), where d_out = d_in. Afterwards each row is a random function of that row alone.
#pragma once

#include <cstdint>
#include <vector>

#include "core/table/column_spec.h"
#include "core/transformations/transformation.h"

namespace dp {

enum class LevelGaps { imputed, own_place };

// Data frames with `columns`, of f64, to data frames of these columns with the places of their
// levels, of f64: from 0 to upper - lower, or to one more if gaps have a place of their own.
//
// Throws make_measurement as check_column_specs() does; make_transformation unless columns are of
// whole numbers and `n` is at least 1.
Transformation make_place_levels(const std::vector<ColumnSpec>& columns,
                                 LevelGaps gaps,
                                 std::uint64_t n);

}  // namespace dp
