// Replaces missing rows by independent uniform draws from public points.
//
// Stability: each missing row has an independent draw that does not use other rows, so two datasets
// can share the draws of their common rows: row by row, d_out = d_in (row_wise.h). An imputed mean
// or median would not be free in this way.
#pragma once

#include "core/transformations/transformation.h"

namespace dp {

// Rows of numbers or bool that may be null, or of floats, to rows that are neither null nor NaN. A
// missing row becomes
//
//   an integer   uniform over ceil(lower), ..., floor(upper)
//   a bool       uniform over the 0 and 1 within the bounds: a fair bit if the bounds are 0 and 1
//   an f64       uniform over the multiples of the public step 2^k within the bounds, with 2^k from
//                lattice_for(lower, upper): 52 bits of the larger bound
//   an f32       uniform with a step 2^28 times as large, whose multiples an f32 can represent
//
// The points are drawn as integers, exactly; floats are never rounded. Other rows do not change,
// within the bounds or not, and the output domain has no bounds.
//
// Throws make_transformation unless the bounds are finite and ordered, hold at least one such point
// and only points of the rows' type; `type` unless rows can be missing, have a type named above,
// and `input_metric` is a distance between datasets.
Transformation make_impute_uniform(const Domain& input_domain,
                                   const Metric& input_metric,
                                   double lower,
                                   double upper);

}  // namespace dp
