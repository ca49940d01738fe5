// Runs stages over a value.
#pragma once

#include <cstddef>
#include <vector>

#include "core/engine/stage.h"

namespace dp {

// The value that `stages` make of `value`. Rows are read once per pass, in batches; several threads
// take part from about half a million rows on, if the rows allow it. The result depends neither on
// the number of threads nor on the batch size.
Value execute(const std::vector<Stage>& stages, const Value& value);

#ifdef DP_TEST_HOOKS
// From now on batches have at most so many rows, at most kBatchRows; 0 for what they usually have.
void force_batch_rows(std::size_t rows);
#endif

}  // namespace dp
