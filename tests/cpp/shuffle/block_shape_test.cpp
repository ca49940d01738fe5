#include "core/shuffle/block_shape.h"

#include <gtest/gtest.h>

#include <vector>

namespace dp::block_shape_test {
namespace {

std::vector<std::size_t> sizes(std::size_t rows, std::size_t blocks) {
  const BlockShape shape{rows, blocks};
  std::vector<std::size_t> out;
  for (std::size_t block = 0; block < blocks; ++block) out.push_back(shape.size(block));
  return out;
}

TEST(BlockShape, TheFirstBlocksTakeTheRemainder) {
  using Sizes = std::vector<std::size_t>;
  EXPECT_EQ(sizes(10, 3), (Sizes{4, 3, 3}));
  EXPECT_EQ(sizes(10000, 3), (Sizes{3334, 3333, 3333}));
  EXPECT_EQ(sizes(10000, 7), (Sizes{1429, 1429, 1429, 1429, 1428, 1428, 1428}));
  EXPECT_EQ(sizes(10, 10), Sizes(10, 1));
  EXPECT_EQ(sizes(9, 4), (Sizes{3, 2, 2, 2}));
}

TEST(BlockShape, TellsWhereBlocksAreCut) {
  for (std::size_t rows = 1; rows <= 12; ++rows) {
    for (std::size_t blocks = 1; blocks <= rows; ++blocks) {
      const BlockShape shape{rows, blocks};
      for (std::size_t from = 0; from <= rows; ++from) {
        for (std::size_t to = from; to <= rows; ++to) {
          bool cut = false;
          for (std::size_t block = 0; block < blocks; ++block) {
            cut |= from < shape.begin(block) && shape.begin(block) < to;
          }
          EXPECT_EQ(shape.is_cut(from, to), cut)
              << rows << " rows, " << blocks << " blocks, " << from << " to " << to;
        }
      }
    }
  }
}

}  // namespace
}  // namespace dp::block_shape_test
