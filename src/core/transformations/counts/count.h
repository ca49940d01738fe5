// Counts rows.
#pragma once

#include "core/transformations/transformation.h"

namespace dp {

// From vectors of any rows to one number of type `output_type`: the number of rows, or
// kMaxConsecutive<T> if there are more. The rows are not read.
//
// Stability: adding or removing a row moves the count by one, and saturation by no more, so d_out =
// d_in in the type T, rounded up; the map throws failed_cast if d_in is past the range of an
// integer T. A public number of rows is not used.
//
// Throws `type` unless `input_metric` is the symmetric distance and `output_type` a number.
Transformation make_count(const Domain& input_domain,
                          const Metric& input_metric,
                          AtomType output_type);

}  // namespace dp
