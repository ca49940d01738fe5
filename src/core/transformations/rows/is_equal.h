// Whether each row equals a public value.
//
// Stability: row by row, so d_out = d_in (row_wise.h).
#pragma once

#include "core/transformations/transformation.h"

namespace dp {

// Rows of any type to bool. NaN equals nothing, -0 equals 0.
//
// Throws failed_cast unless `input_domain` is a vector of atoms of the type of `value`, `type`
// unless `input_metric` is a distance between datasets.
Transformation make_is_equal(const Domain& input_domain,
                             const Metric& input_metric,
                             const Scalar& value);

// Its row operator. Throws failed_cast unless `value` is of type `type`, `type` unless that is a
// type of rows.
Function is_equal_rows(const Scalar& value, AtomType type);

}  // namespace dp
