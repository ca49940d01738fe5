// Casts one column of a data frame.
//
// Stability: row by row, so d_out = d_in.
#pragma once

#include "core/transformations/transformation.h"

namespace dp {

// Applies make_cast_default (cast_default.h) to column `column_name`, from type `input_type` to
// `output_type`; other columns stay.
//
// Throws `type` unless both are types of rows; otherwise as make_map_column (map_column.h).
Transformation make_df_cast_default(const Domain& input_domain,
                                    const Metric& input_metric,
                                    const Scalar& column_name,
                                    AtomType input_type,
                                    AtomType output_type);

}  // namespace dp
