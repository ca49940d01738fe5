// Evaluates expressions for a batch of rows.
#pragma once

#include "core/expressions/bound.h"
#include "core/expressions/row_batch.h"

namespace dp::query {

// Returns the cells of `expression` for the rows of `batch`: an existing column in place, or a
// result stored in `room`. Every cell is a function of one row only. Total: no cell of any column
// makes it fail.
const Cells& evaluate(const Bound& expression, const RowBatch& batch, Cells& room);

}  // namespace dp::query
