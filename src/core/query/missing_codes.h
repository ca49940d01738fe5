// Codes that stand for a missing value: those of a declaration, and those that a column brings.
#pragma once

#include <cstddef>

#include "core/expressions/field.h"
#include "core/query/rows.h"

namespace dp::query {

// Those of the declaration, and those of the column.
MissingCodes codes_of(const Field& field, const QueryColumn& column);

bool is_code(const MissingCodes& codes, double number);
bool is_code(const MissingCodes& codes, std::string_view text);

// Rows begin, ..., begin + size - 1 of the column, from 0, where what equals a code has no value. A
// number is compared before it is rounded, and a date without its time of day. Texts are compared
// as bytes.
QueryColumn without_codes(const QueryColumn& column,
                          std::size_t begin,
                          std::size_t size,
                          const MissingCodes& codes);

}  // namespace dp::query
