#include "core/sample_aggregate/block_output.h"

#include <gtest/gtest.h>

namespace dp::test::block_output_test {
namespace {

TEST(BlockOutput, BlocksMoveTogetherByNoLessThanExactlyWhatTheyMoveBy) {
  const LatticeRange range{Lattice{0}, -(std::int64_t{1} << 51), std::int64_t{1} << 51};
  const BlockOutput few(range, 7);
  EXPECT_EQ(few.move(1), 7);
  EXPECT_EQ(few.move(3), 21);
  // 2^53 + 1 = 3 * 107 * 28059810762433, between the doubles 2^53 and 2^53 + 2.
  const BlockOutput many(range, 28059810762433);
  EXPECT_EQ(many.move(321), 0x1p53 + 2);
  EXPECT_EQ(many.move(320), 320.0 * 28059810762433);
}

}  // namespace
}  // namespace dp::test::block_output_test
