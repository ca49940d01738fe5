// Values on the lattice of an aggregate.
//
// z = clamp(index(clamp(x))) - offset: whatever a row holds, |z| is at most what `least` and `most`
// say, since the last clamp is on the integer. Rounding is that of Lattice::index(), to nearest,
// ties to even; so are the texts of SQL (queries_v2, 3.2), of which this is the reference.
#pragma once

#include <cstdint>
#include <vector>

#include "core/expressions/row_batch.h"
#include "core/query/tally.h"

namespace dp::query {

// What has no value is the fill, or kNone.
std::vector<std::int64_t> quantised(const Quantiser& quantiser, const Cells& cells, bool real);

}  // namespace dp::query
