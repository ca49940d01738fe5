#include "core/sample_aggregate/block_sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "core/data/batch.h"
#include "core/numeric/integer.h"
#include "support/recorded_bits.h"

namespace dp::block_sums_test {
namespace {

// Element i is 2^i, so the sum of a block identifies its members.
const ElementRuns<std::uint64_t> kPowers =
    [](std::size_t begin, std::size_t end, const auto& take) {
      std::vector<std::uint64_t> run;
      for (; begin < end; ++begin) run.push_back(std::uint64_t{1} << begin);
      take(run.data(), run.size());
    };

TEST(BlockSums, D_SAM_2_EveryPartitionIsEquallyLikely) {
  ReplayedBits bits(1);
  std::map<std::vector<std::uint64_t>, double> seen;
  const std::size_t draws = 30000;
  for (std::size_t i = 0; i < draws; ++i) {
    const auto sums = block_sums<BlockSum>(
        kPowers, {5, 3}, 1, [&]() -> BitSource& { return bits; });  // blocks of 2, 2, 1
    std::vector<std::uint64_t> members;
    for (const BlockSum& sum : sums) members.push_back(static_cast<std::uint64_t>(sum.sum));
    ++seen[members];
  }
  EXPECT_EQ(seen.size(), 30u);
  double statistic = 0;
  for (const auto& [members, count] : seen) {
    EXPECT_EQ(std::accumulate(members.begin(), members.end(), std::uint64_t{0}), 31u);
    statistic += (count - 1000) * (count - 1000) / 1000;
  }
  EXPECT_LT(statistic, 79);  // 29 degrees of freedom: exceeded with a probability below 1e-6
}

const ElementRuns<std::uint64_t> kNumbers =
    [](std::size_t begin, std::size_t end, const auto& take) {
      for (; begin < end; begin += kBatchRows) {
        std::uint64_t run[kBatchRows];
        std::iota(run, run + kBatchRows, std::uint64_t{begin});
        take(run, std::min(kBatchRows, end - begin));
      }
    };

TEST(BlockSums, AddsEveryRowOnceWhateverTheNumberOfThreads) {
  const BlockShape shape{300007, 11};
  for (const std::size_t threads : {1, 2, 3, 8}) {
    const auto sums = block_sums<BlockSquares>(kNumbers, shape, threads, secure_bits);
    ASSERT_EQ(sums.size(), 11u);
    BlockSquares all;
    for (std::size_t block = 0; block < sums.size(); ++block) {
      EXPECT_EQ(sums[block].count, shape.size(block));
      all.add(sums[block]);
      // The mean of a block: expected (n - 1) / 2, standard deviation n / sqrt(12 m).
      const auto m = static_cast<double>(shape.size(block));
      EXPECT_NEAR(static_cast<double>(sums[block].sum) / m, 150003, 6 * 300007 / std::sqrt(12 * m));
    }
    const uint128_t n = shape.rows;
    EXPECT_EQ(all.sum, n * (n - 1) / 2);
    EXPECT_EQ(all.squares, n * (n - 1) * (2 * n - 1) / 6);
    EXPECT_EQ(all.carries, 0u);
  }
}

TEST(BlockSums, SquaresCarryBeyond128Bits) {
  const std::uint64_t most = (std::uint64_t{1} << 54) - 1;
  BlockSquares sums;
  for (int i = 0; i < 3; ++i) sums.add(most);
  for (int i = 0; i < 20; ++i) {
    const BlockSquares copy = sums;
    sums.add(copy);
  }
  EXPECT_EQ(sums.count, std::uint64_t{3} << 20);
  const Integer squares = (Integer(sums.carries) << 128) + Integer(sums.squares);
  EXPECT_EQ(squares, (Integer(most) * most * 3) << 20);
  EXPECT_GT(sums.carries, 0u);
}

TEST(BlockSums, PayForLargeBlocks) {
  EXPECT_TRUE(can_sum_blocks({100000000, 1000}));
  EXPECT_TRUE(can_sum_blocks({10000, 1}));
  EXPECT_FALSE(can_sum_blocks({10000, 10}));
  EXPECT_FALSE(can_sum_blocks({std::size_t{1} << 40, std::size_t{1} << 20}));
}

}  // namespace
}  // namespace dp::block_sums_test
