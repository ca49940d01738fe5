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
// Sets the batch size to at most `rows`, up to kBatchRows; 0 restores the default.
void force_batch_rows(std::size_t rows);
#endif

}  // namespace dp
