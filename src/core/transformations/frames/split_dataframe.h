// Text to data frames.
//
// Stability: split_lines, split_records and create_dataframe one after the other, d_out = d_in.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/transformations/frames/split_records.h"
#include "core/transformations/transformation.h"

namespace dp {

// From one text to a frame of String columns, as the three constructors say. Reading a column finds
// its fields in the text, batch by batch; no line, field or column is ever copied.
//
// Throws what make_split_records and make_create_dataframe throw.
Transformation make_split_dataframe(const std::optional<std::string>& separator,
                                    const std::vector<Scalar>& col_names,
                                    AtomType key_type,
                                    const RecordStyle& style = {});

}  // namespace dp
