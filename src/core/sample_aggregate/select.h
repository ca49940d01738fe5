// Order statistics of integers, in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace dp {

// The element that `rank` others would precede in increasing order, 0 <= rank < size. Afterwards no
// element before position `rank` is larger, and none behind it smaller.
//
// Linear time for every input: quickselect with a pivot near the rank, taken from a sample, and
// without a branch that depends on the elements; introselect should it not get on.
std::int64_t select_rank(std::int64_t* first, std::size_t size, std::size_t rank);

// The elements of ranks `rank` - 1 and `rank`, 0 < rank < size. Does not move the elements, unless
// there are few or their order is unusual.
//
// A sample brackets the ranks; one pass counts the elements below the bracket and copies the
// elements in it. Source: Floyd and Rivest (1975), "Expected time bounds for selection", CACM
// 18(3).
std::pair<std::int64_t, std::int64_t> select_neighbours(std::int64_t* first,
                                                        std::size_t size,
                                                        std::size_t rank);

}  // namespace dp
