// Lines to records of fields.
//
// Stability: line by line, so d_out = d_in.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/transformations/transformation.h"

namespace dp {

// Elements of lines besides fields and separators; by default none.
struct RecordStyle {
  std::optional<char> quote = std::nullopt;  // around fields, see QuotedFields in fields.h
  std::vector<std::string> header = {};      // fields of the records to leave out; none leaves all
};

// From rows of text to records: each line is cut at every `separator` (default ","), of one or more
// characters, taken literally. White space (of Unicode) at either end of a field is dropped. An
// empty line is a record of one empty field. Lines are cut when fields are read.
//
// Every line is cut independently, even within quotes that nothing closes. If the next line
// continued it, one line would change all that follow, and the map would not hold. For the same
// reason a header is identified by its content, not its position, which the metric ignores: every
// record that equals it is dropped.
//
// Throws make_transformation if `separator` is empty or holds the quote, and if the quote is white
// space or not ASCII.
Transformation make_split_records(const std::optional<std::string>& separator,
                                  const RecordStyle& style = {});

}  // namespace dp
