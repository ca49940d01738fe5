#include "core/sample_aggregate/block_design.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "support/expect_error.h"
#include "support/recorded_bits.h"

namespace dp::block_design_test {
namespace {

using test::expect_error;

std::vector<std::size_t> sizes_of(const BlockPlaces& places) {
  std::vector<std::size_t> sizes;
  std::size_t begin = 0;
  for (const std::size_t end : places.ends) {
    sizes.push_back(end - begin);
    begin = end;
  }
  return sizes;
}

// Number of blocks that contain each position. A block may contain a position at most once.
std::vector<std::uint32_t> uses_of(const BlockPlaces& places, std::size_t rows) {
  std::vector<std::uint32_t> uses(rows);
  std::size_t begin = 0;
  for (const std::size_t end : places.ends) {
    const std::set<std::uint32_t> block(places.rows.begin() + begin, places.rows.begin() + end);
    EXPECT_EQ(block.size(), end - begin);
    for (const std::uint32_t place : block) ++uses.at(place);
    begin = end;
  }
  return uses;
}

TEST(BlockDesign, PartitionsHaveEachRowOnceInEach) {
  ReplayedBits bits(1);
  for (const std::uint32_t repeats : {1u, 3u}) {
    const auto design = BlockDesign::partitions(11, 4, repeats);
    EXPECT_EQ(design.blocks(), std::size_t{4} * repeats);
    EXPECT_EQ(design.overlap(), repeats);
    const BlockPlaces places = design.places(11, bits);
    EXPECT_EQ(uses_of(places, 11), std::vector<std::uint32_t>(11, repeats));
    const auto sizes = sizes_of(places);
    for (std::size_t b = 0; b < sizes.size(); ++b) EXPECT_EQ(sizes[b], b % 4 == 3 ? 2u : 3u);
  }
}

TEST(BlockDesign, KnowsItsSmallestBlockUnlessRowsHaveLabels) {
  ReplayedBits bits(1);
  EXPECT_EQ(BlockDesign::partitions(11, 4, 3).smallest(), 2u);
  EXPECT_EQ(BlockDesign::subsets(20, 15, 7, bits).smallest(), 7u);
  EXPECT_EQ(BlockDesign::labels(4).smallest(), std::nullopt);
}

TEST(BlockDesign, TheOverlapOfSubsetsIsTheMostBlocksOfAnyRow) {
  ReplayedBits bits(2);
  const auto design = BlockDesign::subsets(20, 15, 7, bits);
  const BlockPlaces places = design.places(20, bits);
  EXPECT_EQ(sizes_of(places), std::vector<std::size_t>(15, 7));
  const auto uses = uses_of(places, 20);
  EXPECT_EQ(design.overlap(), *std::max_element(uses.begin(), uses.end()));
  EXPECT_GT(design.overlap(), 5u);
  EXPECT_EQ(design.places(20, bits).rows, places.rows) << "the overlap is that of these subsets";
}

TEST(BlockDesign, SubsetsAreUniform) {
  ReplayedBits bits(3);
  std::map<std::set<std::uint32_t>, int> counts;
  const auto design = BlockDesign::subsets(5, 20000, 2, bits);
  const BlockPlaces places = design.places(5, bits);
  for (std::size_t i = 0; i < places.rows.size(); i += 2) {
    ++counts[{places.rows[i], places.rows[i + 1]}];
  }
  EXPECT_EQ(counts.size(), 10u);
  for (const auto& [subset, count] : counts) EXPECT_NEAR(count, 2000, 6 * 43);
}

TEST(BlockDesign, LabelsPutEachRowIntoOneBlockWhateverTheirNumber) {
  ReplayedBits bits(4);
  const auto design = BlockDesign::labels(6);
  EXPECT_FALSE(design.rows());
  EXPECT_EQ(design.overlap(), 1u);
  for (const std::size_t rows : {0u, 1u, 100u}) {
    const BlockPlaces places = design.places(rows, bits);
    EXPECT_EQ(places.ends.size(), 6u);
    EXPECT_EQ(uses_of(places, rows), std::vector<std::uint32_t>(rows, 1));
  }
}

TEST(BlockDesign, RefusesNumbersThatDoNotFit) {
  ReplayedBits bits(5);
  const auto refused = [](auto&& build) { expect_error(ErrorKind::make_transformation, build); };
  refused([] { BlockDesign::partitions(10, 0, 1); });
  refused([] { BlockDesign::partitions(10, 11, 1); });
  refused([] { BlockDesign::partitions(10, 5, 0); });
  refused([] { BlockDesign::partitions(std::uint64_t{1} << 33, 5, 1); });
  refused([&] { BlockDesign::subsets(10, 5, 11, bits); });
  refused([&] { BlockDesign::subsets(10, 5, 0, bits); });
  refused([] { BlockDesign::labels(0); });
}

}  // namespace
}  // namespace dp::block_design_test
