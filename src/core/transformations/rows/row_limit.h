// Limits the number of rows. Whole-data stages, without passes unless there are too many rows.
#pragma once

#include <cstdint>

#include "core/engine/function.h"

namespace dp {

// The first `limit` rows, where they lie.
Function keep_first(std::uint64_t limit);

// Keeps `limit` rows in the order of the data. Every set of this size has the same probability.
// Fresh bits of the secure source each time.
Function keep_sample(std::uint64_t limit);

}  // namespace dp
