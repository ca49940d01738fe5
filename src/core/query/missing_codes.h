// Codes for missing values: those in a declaration, and those that a column brings.
#pragma once

#include <cstddef>

#include "core/expressions/field.h"
#include "core/query/rows.h"

namespace dp::query {

// Combines the codes of the declaration and of the column.
MissingCodes codes_of(const Field& field, const QueryColumn& column);

bool is_code(const MissingCodes& codes, double number);
bool is_code(const MissingCodes& codes, std::string_view text);

// Rows begin, ..., begin + size - 1 of the column, renumbered from 0; cells equal to a code become
// missing. A number is compared before it is rounded, and a date without its time of day. Texts are
// compared as bytes.
QueryColumn without_codes(const QueryColumn& column,
                          std::size_t begin,
                          std::size_t size,
                          const MissingCodes& codes);

}  // namespace dp::query
