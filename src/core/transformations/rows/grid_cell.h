// The cell of an infinite public grid that each row is in.
//
// Stability: row by row, so d_out = d_in (row_wise.h).
#pragma once

#include <cstdint>
#include <limits>

#include "core/transformations/transformation.h"

namespace dp {

// Cells beyond count as the last one, on either side.
inline constexpr double kLastCell = 0x1p52;

// The cell of NaN.
inline constexpr std::int64_t kMissingCell = std::numeric_limits<std::int64_t>::min();

// Rows of f64 to the number j of their cell [origin + j width, origin + (j + 1) width), an i64,
// computed in doubles: next to the ends of a cell, a row may come to the other side.
//
// Throws make_transformation unless `origin` is finite and `width` positive and finite; `type`
// unless rows are f64 and the metric is a distance between datasets; failed_cast if rows may be
// null.
Transformation make_grid_cell(const Domain& input_domain,
                              const Metric& input_metric,
                              double origin,
                              double width);

}  // namespace dp
