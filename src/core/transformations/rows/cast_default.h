// Casts each row to another carrier type; values without a counterpart become the type's default.
//
// Stability: row by row, so d_out = d_in (row_wise.h).
#pragma once

#include "core/transformations/transformation.h"

namespace dp {

// Rows of any type to rows of type `output_type`, by round_cast (numeric/cast.h): 0, 0.0, false or
// "" if there is no such value. NaN is a value: a float stays NaN, and so does the text "nan".
// Bounds are lost.
//
// Throws failed_cast unless `input_domain` is a vector of atoms, `type` unless `input_metric` is a
// distance between datasets.
Transformation make_cast_default(const Domain& input_domain,
                                 const Metric& input_metric,
                                 AtomType output_type);

// Its row operator. Throws `type` unless both are types of rows.
Function cast_default_rows(AtomType input_type, AtomType output_type);

}  // namespace dp
