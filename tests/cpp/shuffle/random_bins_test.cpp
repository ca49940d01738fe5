#include "core/shuffle/random_bins.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/recorded_bits.h"

namespace dp::random_bins_test {
namespace {

std::vector<std::size_t> counts(const BlockShape& bins, std::uint64_t seed) {
  ReplayedBits bits(seed);
  std::vector<std::uint16_t> bin(bins.rows);
  BinDraws(bins).draw(bin.data(), bin.size(), bits);
  std::vector<std::size_t> count(bins.blocks + 1);
  for (const std::uint16_t b : bin) ++count.at(b);
  return count;
}

TEST(BinDraws, SeldomFillABinAndLeaveFewWithout) {
  for (const BlockShape bins :
       {BlockShape{100000, 1}, {100000, 7}, {1000000, 100}, {3000000, 1000}}) {
    const auto count = counts(bins, 1);
    for (std::size_t b = 0; b < bins.blocks; ++b) EXPECT_LE(count[b], bins.size(b));
    EXPECT_LE(count.back(), BinDraws(bins).most_without());
    const auto rows = static_cast<double>(bins.rows);
    const auto blocks = static_cast<double>(bins.blocks);
    EXPECT_LE(static_cast<double>(BinDraws(bins).most_without()), 8 * std::sqrt(rows * blocks));
  }
}

TEST(BinDraws, AllBinsAreDrawnNearlyAlike) {
  const BlockShape bins{4000000, 100};
  auto count = counts(bins, 2);
  count.pop_back();
  const auto [least, most] = std::minmax_element(count.begin(), count.end());
  // Expected 38800 with standard deviation 197. The largest of 100 rarely exceeds 4 deviations.
  EXPECT_GT(*least, 38800u - 6 * 197);
  EXPECT_LT(*most, 38800u + 6 * 197);
}

TEST(BinDraws, ThreeDrawsShareAWord) {
  RecordedBits bits(replayed_words(3, 6));
  std::uint16_t bin[11];
  BinDraws({100, 10}).draw(bin, 11, bits);  // three words, and one for each of the last two
  EXPECT_EQ(bits.used(), 5u);
}

}  // namespace
}  // namespace dp::random_bins_test
