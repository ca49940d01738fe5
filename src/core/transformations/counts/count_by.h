// Counts the rows of each value that occurs.
//
// Stability: adding or removing a row moves the count of one key, by one; a key without a count
// counts as 0. So d_in rows move at most d_in counts, by at most d_in in total and each by at most
// d_in. A replaced row moves two, by one in different directions, or none. With c = 1 under the
// symmetric and c = 2 under the change-one distance:
//
//   L01InfDistance<AbsoluteDistance<T>>   d_out = (c d_in, c d_in, d_in), the last two in T
//   L1Distance<Q>, L2Distance<Q>          d_out = c d_in in Q
//
// rounded up; failed_cast if d_in is past the range of an integer type.
#pragma once

#include "core/transformations/transformation.h"

namespace dp {

// From vectors of integers, bool or text to a map from each distinct row to its count, of the
// integer type `value_type`, at most its largest number. Keys are in increasing order (text byte by
// byte), never in data order. The set of keys depends on the data: release a map only through a
// threshold.
//
// Throws `type` for rows of floats, an input metric other than the symmetric and the change-one
// distance, an output metric other than those above, or a `value_type` that is not an integer of at
// most 64 bits; failed_cast if rows may be null.
Transformation make_count_by(const Domain& input_domain,
                             const Metric& input_metric,
                             AtomType value_type,
                             const Metric& output_metric);

// With the output metric L01InfDistance<AbsoluteDistance<value_type>>, which thresholds take.
Transformation make_count_by(const Domain& input_domain,
                             const Metric& input_metric,
                             AtomType value_type);

}  // namespace dp
