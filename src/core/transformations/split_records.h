// Lines to records of fields.
//
// Stability: line by line, so d_out = d_in.
#pragma once

#include <optional>
#include <string>

#include "core/transformations/transformation.h"

namespace dp {

// From rows of text to records: each line is cut at every `separator` ("," if there is none), of
// one or more characters, taken literally; white space (of Unicode) at either end of a field is
// left out. There is no quoting. An empty line is a record of one empty field. Lines are cut when
// fields are read.
//
// Throws make_transformation if `separator` is empty.
Transformation make_split_records(const std::optional<std::string>& separator);

}  // namespace dp
