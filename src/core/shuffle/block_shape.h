// Public numbers of rows in blocks.
#pragma once

#include <algorithm>
#include <cstddef>

namespace dp {

// `rows` rows in `blocks` blocks of nearly equal size: the first rows % blocks have one more.
// 1 <= blocks <= rows.
struct BlockShape {
  std::size_t rows;
  std::size_t blocks;

  std::size_t smallest() const { return rows / blocks; }
  std::size_t largest() const { return smallest() + (rows % blocks == 0 ? 0 : 1); }
  // Where a block begins when the rows are cut in order. Block `blocks` begins at the end.
  std::size_t begin(std::size_t block) const {
    return block * smallest() + std::min(block, rows % blocks);
  }
  std::size_t size(std::size_t block) const { return begin(block + 1) - begin(block); }

  // Whether a block begins strictly between two positions.
  bool is_cut(std::size_t from, std::size_t to) const {
    const std::size_t of_larger = (rows % blocks) * largest();
    const std::size_t first_after =
        from < of_larger ? (from / largest() + 1) * largest()
                         : of_larger + ((from - of_larger) / smallest() + 1) * smallest();
    return first_after < std::min(to, rows);
  }
};

}  // namespace dp
