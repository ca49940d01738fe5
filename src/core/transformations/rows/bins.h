// The bin between public edges that a number is in.
#pragma once

#include <cstddef>
#include <vector>

namespace dp {

// Number of the strictly increasing `edges` at or below x: 0 for x below the first, and
// edges.size() for x at or above the last. A NaN counts as above all.
//
// Bisects without branches on x, whose position is not predictable.
template <class T>
std::size_t bin_of(const std::vector<T>& edges, T x) {
  const T* first = edges.data();
  std::size_t left = edges.size();
  while (left > 1) {
    const std::size_t half = left / 2;
    first += x < first[half - 1] ? 0 : half;
    left -= half;
  }
  const auto below = static_cast<std::size_t>(first - edges.data());
  return left == 0 || x < *first ? below : below + 1;
}

}  // namespace dp
