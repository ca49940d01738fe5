// Lines to records of fields.
//
// Stability: line by line, so d_out = d_in.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/transformations/transformation.h"

namespace dp {

// What stands in lines beside fields and separators; by default nothing.
struct RecordStyle {
  std::optional<char> quote = std::nullopt;  // around fields, see QuotedFields in fields.h
  std::vector<std::string> header = {};      // fields of the records to leave out; none leaves all
};

// From rows of text to records: each line is cut at every `separator` ("," if there is none), of
// one or more characters, taken literally; white space (of Unicode) at either end of a field is
// left out. An empty line is a record of one empty field. Lines are cut when fields are read.
//
// Every line is cut by itself, also one within quotes that nothing closes: were the next line the
// rest of it, one line would change all that follow, and the map would not hold. For the same
// reason the header is known by what it says and not by its place, which the metric does not see:
// every record that equals it is left out.
//
// Throws make_transformation if `separator` is empty or holds the quote, and if the quote is white
// space or not ASCII.
Transformation make_split_records(const std::optional<std::string>& separator,
                                  const RecordStyle& style = {});

}  // namespace dp
