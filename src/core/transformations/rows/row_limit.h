// Keeps at most so many rows. Whole-data stages, no passes as long as there are not more.
#pragma once

#include <cstdint>

#include "core/engine/function.h"

namespace dp {

// The first `limit` rows, where they lie.
Function keep_first(std::uint64_t limit);

// `limit` rows in the order of the data, every set of so many with the same probability; fresh
// bits of the secure source each time.
Function keep_sample(std::uint64_t limit);

}  // namespace dp
