// Casts one column of a data frame.
//
// Stability: row by row, so d_out = d_in.
#pragma once

#include "core/transformations/transformation.h"

namespace dp {

// Column `column_name`, of type `input_type`, becomes what make_cast_default makes of it
// (cast_default.h), of type `output_type`; other columns stay.
//
// Throws `type` unless both are types of rows; else as make_map_column (map_column.h).
Transformation make_df_cast_default(const Domain& input_domain,
                                    const Metric& input_metric,
                                    const Scalar& column_name,
                                    AtomType input_type,
                                    AtomType output_type);

}  // namespace dp
