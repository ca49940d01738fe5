// The bin between public edges of each row of a column, with one more bin for missing values:
// counted by histograms and trees that drop them.
//
// Cells are prepared but not imputed (present_cell.h): fractions are cut off, if the column has
// whole numbers, and values are clamped.
//
// Stability: row by row, so d_out = d_in (row_wise.h).
#pragma once

#include <vector>

#include "core/table/column_spec.h"
#include "core/transformations/transformation.h"

namespace dp {

// Rows of f64 to the number of edges at or below them, as in make_find_bin(), or edges.size() + 1
// for a missing value; of type usize. With a column of whole numbers bins between two of these stay
// empty. The name of the column and where it is imputed from are not looked at.
//
// Throws make_measurement as check_column_specs() does; make_transformation unless edges are
// strictly increasing (so none is NaN); failed_cast if rows may be null; `type` unless rows are f64
// and the metric is a distance between datasets.
Transformation make_present_bin(const Domain& input_domain,
                                const Metric& input_metric,
                                const ColumnSpec& column,
                                const std::vector<double>& edges);

}  // namespace dp
