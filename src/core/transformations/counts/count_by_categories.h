// Counts the rows of each public category.
//
// Stability: adding or removing a row moves one of the counts by one, and saturation moves no more.
// d_in rows move the counts by at most d_in in the sum of absolute differences, and neither the
// root of the sum of squares nor the largest difference is larger: d_out = d_in in the type Q of
// the output metric, rounded up, for L1, L2 and LInf alike. A replaced row moves two counts by one
// each, one up and one down, so under the change-one distance d_out = 2 d_in for L1 and d_in for
// LInf. For L2 it is sqrt(2) d_in, rounded up, in f64, and 2 d_in in other types: all increases add
// up to at most d_in, and so do all decreases, and the sum of squares of each is largest if one
// count takes it all. The map throws failed_cast if the result is past the range of an integer Q.
#pragma once

#include <vector>

#include "core/transformations/transformation.h"

namespace dp {

// From vectors of integers, bool or text to one count of type `output_type` per category, in their
// order, and one more for all other rows if `null_category`; otherwise those are not counted. A
// count stops at kMaxConsecutive of its type.
//
// Throws make_transformation if a category occurs twice; failed_cast if one has a different type
// than the rows or if rows may be null; `type` for rows of floats, an input metric other than the
// symmetric and the change-one distance, an output metric other than L1, L2 and LInf (of components
// that move in any direction), or an `output_type` that is not a number.
Transformation make_count_by_categories(const Domain& input_domain,
                                        const Metric& input_metric,
                                        const std::vector<Scalar>& categories,
                                        bool null_category,
                                        const Metric& output_metric,
                                        AtomType output_type);

}  // namespace dp
