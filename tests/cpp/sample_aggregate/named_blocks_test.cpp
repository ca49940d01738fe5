#include "core/sample_aggregate/named_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/random/bit_source.h"
#include "support/expect_error.h"

namespace dp::named_blocks_test {
namespace {

using test::expect_error;
using Doubles = std::vector<double>;

constexpr BlockFunction kAll[] = {
    BlockFunction::mean, BlockFunction::median, BlockFunction::variance};

const ColumnSpec kColumn = {"x", 0, 8, 0, 8, false};

// Number of the only block, in steps of its output.
std::int64_t steps_of(const NamedBlocks& blocks, const Doubles& rows) {
  BlockPlaces places;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    places.rows.push_back(static_cast<std::uint32_t>(i));
  }
  places.ends = {rows.size()};
  const Doubles result = blocks.function({rows}, places).at(0);
  return blocks.output.steps(result.empty() ? std::nan("") : result[0]);
}

double value_of(const NamedBlocks& blocks, const Doubles& rows) {
  return blocks.output.range.lattice.value(int128_t{steps_of(blocks, rows)});
}

TEST(NamedBlocks, AreTheTextbookFunctions) {
  const BlockDesign design = BlockDesign::partitions(5, 1, 1);
  const Doubles rows = {1, 7, 2, 8, 4.5};
  EXPECT_EQ(value_of(named_blocks(BlockFunction::mean, kColumn, design, 5), rows), 4.5);
  EXPECT_EQ(value_of(named_blocks(BlockFunction::median, kColumn, design, 5), rows), 4.5);
  const double variance = value_of(named_blocks(BlockFunction::variance, kColumn, design, 5), rows);
  EXPECT_NEAR(variance, (3.5 * 3.5 + 2.5 * 2.5 + 2.5 * 2.5 + 3.5 * 3.5) / 4, 1e-12);
}

TEST(NamedBlocks, TakeThePlacesOfTheirBlockAlone) {
  const auto blocks =
      named_blocks(BlockFunction::mean, kColumn, BlockDesign::partitions(4, 2, 1), 2);
  const BlockPlaces places = {{3, 0, 1, 2}, {2, 4}};
  EXPECT_EQ(blocks.function({{1, 2, 4, 7}}, places), (std::vector<Doubles>{{4}, {3}}));
}

TEST(NamedBlocks, BlocksWithTooFewRowsCountAsTheMiddle) {
  const BlockDesign labels = BlockDesign::labels(1);
  for (const BlockFunction function : kAll) {
    const auto blocks = named_blocks(function, kColumn, labels, 2);
    const LatticeRange& range = blocks.output.range;
    EXPECT_EQ(steps_of(blocks, {}), range.lower + range.width() / 2);
  }
  const auto variance = named_blocks(BlockFunction::variance, kColumn, labels, 2);
  EXPECT_EQ(steps_of(variance, {1}), steps_of(variance, {}));
}

// Largest change of a block of up to five rows, on a grid of five values, when one row is added. If
// `replaces`, it replaces the first row.
std::int64_t furthest(const NamedBlocks& blocks, bool replaces, std::size_t least) {
  std::int64_t most = 0;
  for (std::size_t size = least; size <= 5; ++size) {
    const auto codes = static_cast<std::size_t>(std::pow(5, size));
    for (std::size_t code = 0; code < codes; ++code) {
      Doubles rows;
      for (std::size_t rest = code; rows.size() < size; rest /= 5) {
        rows.push_back(static_cast<double>(rest % 5) * 2);
      }
      const std::int64_t here = steps_of(blocks, rows);
      for (int x = 0; x < 5; ++x) {
        Doubles other = rows;
        if (replaces) other.erase(other.begin());
        other.push_back(2 * x);
        most = std::max(most, std::abs(here - steps_of(blocks, other)));
      }
    }
  }
  return most;
}

TEST(NamedBlocks, D_SEN_1_AnAddedRowMovesABlockOfLabelsNoFurtherThanSaid) {
  for (const BlockFunction function : kAll) {
    for (const std::size_t guess : {2u, 5u}) {
      const auto blocks = named_blocks(function, kColumn, BlockDesign::labels(3), guess);
      const std::int64_t most = furthest(blocks, false, 0);
      EXPECT_LE(most, blocks.output.sensitivity);
      // Only small blocks reach the whole width, but half of it would be too little.
      EXPECT_GT(most, blocks.output.sensitivity / 2);
    }
  }
}

TEST(NamedBlocks, D_SEN_1_AReplacedRowMovesTheSmallestBlockNoFurtherThanSaid) {
  for (const BlockFunction function : kAll) {
    const std::size_t smallest = 3;
    for (const bool subsets : {false, true}) {
      const auto blocks = named_blocks(
          function,
          kColumn,
          subsets ? BlockDesign::subsets(9, 2, 3, secure_bits()) : BlockDesign::partitions(9, 3, 2),
          smallest);
      const std::int64_t most = furthest(blocks, true, smallest);
      EXPECT_LE(most, blocks.output.sensitivity);
      EXPECT_GT(static_cast<double>(most), 0.7 * static_cast<double>(blocks.output.sensitivity));
    }
  }
}

TEST(NamedBlocks, D_SEN_1_NoGuessMovesTheSensitivityOfADesignThatKnowsItsBlocks) {
  const BlockDesign designs[] = {BlockDesign::partitions(9, 3, 2),
                                 BlockDesign::subsets(9, 2, 3, secure_bits())};
  for (const BlockDesign& design : designs) {
    for (const BlockFunction function : kAll) {
      const BlockOutput said = named_blocks(function, kColumn, design, 3).output;
      const BlockOutput guessed = named_blocks(function, kColumn, design, 1000).output;
      EXPECT_EQ(guessed.sensitivity, said.sensitivity);
      EXPECT_EQ(guessed.range.width(), said.range.width());
    }
  }
}

TEST(NamedBlocks, AVarianceNeedsTwoRows) {
  expect_error(ErrorKind::make_transformation, [] {
    named_blocks(BlockFunction::variance, kColumn, BlockDesign::partitions(4, 4, 1), 1);
  });
}

}  // namespace
}  // namespace dp::named_blocks_test
