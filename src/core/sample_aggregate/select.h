// Order statistics of integers, in place.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dp {

// The element that `rank` others would precede in increasing order, 0 <= rank < size. Afterwards no
// element before position `rank` is larger, and none behind it smaller.
//
// Linear time for every input: quickselect with a pivot near the rank, taken from a sample, and
// without a branch that depends on the elements; introselect should it not get on.
std::int64_t select_rank(std::int64_t* first, std::size_t size, std::size_t rank);

}  // namespace dp
