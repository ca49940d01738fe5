// Records to data frames.
//
// Stability: record by record, so d_out = d_in.
#pragma once

#include <vector>

#include "core/transformations/transformation.h"

namespace dp {

// From records to a frame whose column j, named `col_names`[j], holds field j of each record
// unchanged, "" for records that are too short; fields beyond the names are dropped. Of equal names
// the last one wins. Columns are of type String, and are read on demand.
//
// Throws `type` unless `key_type`, the type of the names, is an integer, bool or String;
// failed_cast if a name has a different type.
Transformation make_create_dataframe(const std::vector<Scalar>& col_names, AtomType key_type);

}  // namespace dp
