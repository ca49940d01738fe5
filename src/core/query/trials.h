// Values of a few columns, tried one by one: what an expression gives for each combination is known
// exactly, whatever the expression.
#pragma once

#include <optional>
#include <vector>

#include "core/expressions/row_batch.h"
#include "core/query/statement.h"

namespace dp::query {

// A column as a key and as an amount, by their places; one column is both.
struct Views {
  std::size_t key;
  std::size_t amount;
};

// The columns of an expression, each once.
std::vector<Views> views_in(const Expression& expression,
                            const std::vector<Field>& fields,
                            const std::vector<Twins>& twins);

// The values of a column, in order, if they are few and not reals or texts.
std::optional<std::vector<std::int64_t>> few_values(const Field& field);

// All rows that these columns can have, with missing values where there can be some. Nothing if
// they are many, or if a column has reals or texts.
std::optional<RowBatch> all_rows(const std::vector<Views>& columns,
                                 const std::vector<Field>& fields);

// What an expression that is not real gives for the rows.
std::vector<std::int64_t> wholes_for(const Expression& expression,
                                     const std::vector<Field>& fields,
                                     const RowBatch& rows);

}  // namespace dp::query
