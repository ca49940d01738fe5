// Counts distinct rows.
#pragma once

#include "core/transformations/transformation.h"

namespace dp {

// From vectors of integers, bool or text to one number of type `output_type`: the number of
// different rows, or kMaxConsecutive<T> if there are more.
//
// Stability: adding or removing a row makes at most one value appear or vanish, and saturation
// moves no more, so d_out = d_in in the type T, rounded up; the map throws failed_cast if d_in is
// past the range of an integer T.
//
// Throws `type` for rows of floats, a metric other than the symmetric distance or an `output_type`
// that is not a number; failed_cast if rows may be null.
Transformation make_count_distinct(const Domain& input_domain,
                                   const Metric& input_metric,
                                   AtomType output_type);

}  // namespace dp
