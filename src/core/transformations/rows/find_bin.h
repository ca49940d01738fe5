// The bin between public edges that each row is in.
//
// Stability: row by row, so d_out = d_in (row_wise.h).
#pragma once

#include <vector>

#include "core/transformations/transformation.h"

namespace dp {

// Rows of numbers to the number of edges at or below them, of type usize: n edges make the n + 1
// bins (-inf, e_1), [e_1, e_2), ..., [e_n, inf). A NaN, if the domain admits it, falls into the
// last bin. No edges: all rows are in bin 0.
//
// Throws make_transformation unless `edges` are strictly increasing (so none is NaN); failed_cast
// if one has another type than the rows or if rows may be null; `type` unless rows are numbers and
// the metric is a distance between datasets.
Transformation make_find_bin(const Domain& input_domain,
                             const Metric& input_metric,
                             const std::vector<Scalar>& edges);

}  // namespace dp
