// Public tables, as columns of cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/expressions/row_batch.h"
#include "core/expressions/text_pool.h"
#include "core/query/statement.h"

namespace dp::query {

// Whether a cell is missing, and its whole number: TRUE is 1, and reals without a fraction are
// whole numbers within +-2^53. -0 is 0.
bool is_missing_literal(const Literal& literal);
std::optional<std::int64_t> whole_in(const Literal& literal);

// The field of a column, with the bounds of its values. As a key, reals without a fraction are
// whole numbers. Throws unsupported if a literal has a different type than the column.
Field public_field(const PublicTable& table, std::size_t place, bool as_key);

// The cells of a column whose field is public_field()'s `field`.
Cells public_cells(const PublicTable& table,
                   std::size_t place,
                   const Field& field,
                   TextPool& texts);

}  // namespace dp::query
