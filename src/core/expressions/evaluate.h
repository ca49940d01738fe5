// The values of expressions, for some rows at a time.
#pragma once

#include "core/expressions/bound.h"
#include "core/expressions/row_batch.h"

namespace dp::query {

// The cells of `expression` for the rows of `batch`: those of a column where they are, others in
// `room`. Every cell is a function of its own row. Total: no cell of any column makes it fail.
const Cells& evaluate(const Bound& expression, const RowBatch& batch, Cells& room);

}  // namespace dp::query
