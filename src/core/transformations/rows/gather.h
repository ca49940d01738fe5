// Permuted rows, and permutations.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "core/data/column.h"
#include "core/domains/scalar.h"

namespace dp {

// `size` rows: row i of `rows` at places[i], or nowhere if that is not below `size`. Places are
// distinct. Where no row falls there is `padding`, or a null if it is empty.
ColumnPtr gather(const Column& rows,
                 const std::vector<std::size_t>& places,
                 std::size_t size,
                 const std::optional<Scalar>& padding);

// 0, ..., count - 1.
std::vector<std::size_t> places_in_order(std::size_t count);

// 0, ..., count - 1 in uniformly random order, from the secure source.
std::vector<std::size_t> places_at_random(std::size_t count);

#ifdef DP_TEST_HOOKS
// While it lives, places_at_random() of this thread returns `shuffle` of the ordered positions.
class ScopedShuffle {
 public:
  using Shuffle = std::function<void(std::vector<std::size_t>&)>;
  explicit ScopedShuffle(Shuffle shuffle);
  ~ScopedShuffle();
  ScopedShuffle(const ScopedShuffle&) = delete;
  ScopedShuffle& operator=(const ScopedShuffle&) = delete;

 private:
  Shuffle shuffle_;
};
#endif

}  // namespace dp
