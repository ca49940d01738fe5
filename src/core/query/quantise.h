// Places values on the lattice of an aggregate.
//
// z = clamp(index(clamp(x))) - offset. For any row, |z| is at most the larger magnitude of `least`
// and `most`, because the last clamp is on the integer. Rounding is by Lattice::index(), to
// nearest, ties to even. The SQL of engines rounds in the same way (queries_v2, 3.2); this code is
// its reference.
#pragma once

#include <cstdint>
#include <vector>

#include "core/expressions/row_batch.h"
#include "core/query/exact_aggregate.h"

namespace dp::query {

// A missing value becomes the fill, or kNone.
std::vector<std::int64_t> quantised(const Quantiser& quantiser, const Cells& cells, bool real);

}  // namespace dp::query
