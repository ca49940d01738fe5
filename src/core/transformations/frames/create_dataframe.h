// Records to data frames.
//
// Stability: record by record, so d_out = d_in.
#pragma once

#include <vector>

#include "core/transformations/transformation.h"

namespace dp {

// From records to a frame whose column j, named `col_names`[j], holds field j of each record as it
// is, "" for records that are too short; fields beyond the names are left out. Of equal names the
// last one wins. Columns are of type String, and read when they are asked for.
//
// Throws `type` unless `key_type`, the type of the names, is an integer, bool or String;
// failed_cast if a name is not of it.
Transformation make_create_dataframe(const std::vector<Scalar>& col_names, AtomType key_type);

}  // namespace dp
