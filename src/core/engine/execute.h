// Runs stages over a value.
#pragma once

#include <vector>

#include "core/engine/stage.h"

namespace dp {

// The value that `stages` make of `value`. Rows are read once per pass, in blocks; several threads
// take part from about half a million rows on, if the rows allow it. The result depends neither on
// the number of threads nor on the block size.
Value execute(const std::vector<Stage>& stages, const Value& value);

}  // namespace dp
