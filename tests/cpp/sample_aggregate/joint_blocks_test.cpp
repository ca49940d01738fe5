#include "core/sample_aggregate/joint_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/sample_aggregate/named_blocks.h"
#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/frames.h"

namespace dp::test::joint_blocks_test {
namespace {

// Blocks with fixed results, whatever the rows.
BlockResults fixed(BlockDesign design, const std::vector<Doubles>& results, std::size_t numbers) {
  return BlockResults(
      {column("x")},
      std::move(design),
      [results](const BlockCells&, const BlockPlaces&) { return results; },
      numbers);
}

Measurement of_blocks(const std::vector<Doubles>& results,
                      const std::vector<BlockOutput>& outputs,
                      const JointBlocksPlan& plan) {
  const std::size_t k = results.size();
  return make_joint_blocks(
      fixed(BlockDesign::partitions(k, k, 1), results, outputs.size()), outputs, plan);
}

Doubles released(const Measurement& measurement, std::size_t k) {
  return doubles_in(measurement.invoke(frame_of(Doubles(k, 1), Doubles(k, 1))));
}

constexpr double kSilent = 1e-15;

void expect_near(const Doubles& found, const Doubles& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-9) << i;
}

const BlockOutput kTen(0, 10, std::nullopt);
const BlockOutput kSmall(-1, 3, std::nullopt);

TEST(JointBlocks, ConvergeToSumsAboutTheMiddleOfBlocksThatWorked) {
  const std::vector<Doubles> results = {{4, 0}, {12, 2}, {kNaN, 1}, {7, kNaN}, {1, -1}, {3}};
  // About (5, 1): (-1, -1), (5, 1), (-4, -2). The others miss a number.
  const auto exact = [&](bool squares) {
    return released(of_blocks(results, {kTen, kSmall}, {true, squares, kSilent}), results.size());
  };
  expect_near(exact(true), {3, 0, -2, 42, 6});
  expect_near(exact(false), {3, 0, -2});
}

TEST(JointBlocks, FailuresAreTheMiddleWhereTheyAreNotDropped) {
  const std::vector<Doubles> results = {{4, 0}, {12, 2}, {kNaN, 1}, {7, kNaN}, {3}};
  const auto measurement = of_blocks(results, {kTen, kSmall}, {false, true, kSilent});
  expect_near(released(measurement, results.size()), {6, 0, 30, 2});
}

// Contribution of a block: u for each number in halves, or empty.
using Row = std::vector<int>;

std::vector<Row> all_rows(std::size_t numbers, bool drops) {
  std::vector<Row> rows = {{}};
  for (std::size_t i = 0; i < numbers; ++i) {
    std::vector<Row> longer;
    for (const Row& row : rows) {
      for (int u = -4; u <= 4; ++u) {
        longer.push_back(row);
        longer.back().push_back(u);
      }
    }
    rows = longer;
  }
  if (drops) rows.emplace_back();
  return rows;
}

Rational loss_between(const Row& here,
                      const Row& there,
                      const JointBlocksPlan& plan,
                      const JointBlocksScales& scales) {
  Rational loss(0);
  if (here.empty() != there.empty()) loss += 1 / scales.count;
  for (std::size_t i = 0; i < std::max(here.size(), there.size()); ++i) {
    const int a = here.empty() ? 0 : here[i];
    const int b = there.empty() ? 0 : there[i];
    loss += Rational(std::abs(a - b), 4) / scales.sum;
    if (plan.squares) loss += Rational(std::abs(a * a - b * b), 16) / scales.square;
  }
  return loss;
}

Rational greatest_loss(std::size_t numbers,
                       const JointBlocksPlan& plan,
                       const JointBlocksScales& scales) {
  const std::vector<Row> rows = all_rows(numbers, plan.drops);
  Rational greatest(0);
  for (const Row& here : rows) {
    for (const Row& there : rows) {
      greatest = std::max(greatest, loss_between(here, there, plan, scales));
    }
  }
  return greatest;
}

TEST(JointBlocks, D_SEN_1_NoBlockLosesMoreThanItMayAndSomeLoseIt) {
  for (const bool drops : {false, true}) {
    for (const bool squares : {false, true}) {
      const JointBlocksPlan plan{drops, squares, 2};
      for (const std::size_t numbers : {1, 2}) {
        const JointBlocksScales scales = joint_blocks_scales(numbers, plan);
        EXPECT_EQ(greatest_loss(numbers, plan, scales), Rational(1, 2)) << drops << squares;
        // With less noise of any kind, some block loses more.
        const auto is_caught = [&](Rational JointBlocksScales::*noise) {
          JointBlocksScales mutant = scales;
          mutant.*noise *= Rational(9, 10);
          return greatest_loss(numbers, plan, mutant) > Rational(1, 2);
        };
        EXPECT_TRUE(is_caught(&JointBlocksScales::sum));
        EXPECT_EQ(is_caught(&JointBlocksScales::count), drops);
        EXPECT_EQ(is_caught(&JointBlocksScales::square), drops && squares);
      }
    }
  }
}

// Without a count, a tenth less of this noise costs more only for d near 2, which this grid lacks.
TEST(JointBlocks, D_SEN_1_SquaresOfHalfTheNoiseAreCaught) {
  const JointBlocksPlan plan{false, true, 2};
  JointBlocksScales mutant = joint_blocks_scales(1, plan);
  mutant.square /= 2;
  EXPECT_GT(greatest_loss(1, plan, mutant), Rational(1, 2));
}

TEST(JointBlocks, HaveTheStatedScales) {
  const auto of = [](std::size_t numbers, bool drops, bool squares) {
    const JointBlocksScales scales = joint_blocks_scales(numbers, {drops, squares, 3});
    return std::vector<Rational>{scales.count, scales.sum, scales.square};
  };
  EXPECT_EQ(of(1, true, true), (std::vector<Rational>{8, 6, 24}));
  EXPECT_EQ(of(2, true, true), (std::vector<Rational>{8, 12, 48}));
  EXPECT_EQ(of(1, false, true)[1], 6);
  EXPECT_EQ(of(1, false, true)[2], 12);
  EXPECT_EQ(of(2, true, false)[0], 6);
  EXPECT_EQ(of(2, true, false)[1], 12);
}

TEST(JointBlocks, D_SEN_1_TheLossCountsTheBlocksOfARow) {
  const auto loss = [](BlockDesign design, std::uint32_t rows) {
    const auto measurement =
        make_joint_blocks(fixed(std::move(design), {}, 1), {kTen}, {true, true, 2});
    return number_in<double>(measurement.map(Scalar(rows)));
  };
  EXPECT_EQ(loss(BlockDesign::partitions(6, 3, 1), 0), 0);
  EXPECT_EQ(loss(BlockDesign::partitions(6, 3, 1), 1), 0.5);
  EXPECT_EQ(loss(BlockDesign::partitions(6, 3, 4), 1), 2);
  EXPECT_EQ(loss(BlockDesign::partitions(6, 3, 4), 3), 6);
  EXPECT_EQ(loss(BlockDesign::labels(3), 1), 0.5);
}

TEST(JointBlocks, NoiseHasTheSpreadOfItsScale) {
  constexpr int kDraws = 20000;
  const std::vector<Doubles> middles(2, {5, 1});  // of both ranges
  const JointBlocksPlan plan{true, true, 1.5};
  const JointBlocksScales scales = joint_blocks_scales(2, plan);
  const Doubles expected = {1 / std::sinh(1 / to_double_nearest(scales.count)),
                            5 * to_double_nearest(scales.sum),
                            2 * to_double_nearest(scales.sum),
                            25 * to_double_nearest(scales.square),
                            4 * to_double_nearest(scales.square)};
  const auto measurement = of_blocks(middles, {kTen, kSmall}, plan);
  Doubles totals(expected.size(), 0.0);
  for (int i = 0; i < kDraws; ++i) {
    const Doubles found = released(measurement, 2);
    for (std::size_t m = 0; m < found.size(); ++m) totals[m] += std::fabs(found[m] - (m ? 0 : 2));
  }
  for (std::size_t m = 0; m < expected.size(); ++m) {
    EXPECT_NEAR(totals[m] / kDraws, expected[m], 6 * expected[m] * 1.1 / std::sqrt(double{kDraws}))
        << m;
  }
}

TEST(JointBlocks, RefuseWhatDoesNotFit) {
  const auto refused = [](const std::vector<BlockOutput>& outputs, double scale) {
    expect_error(ErrorKind::make_measurement, [&] {
      make_joint_blocks(
          fixed(BlockDesign::partitions(4, 2, 1), {}, 1), outputs, {true, true, scale});
    });
  };
  refused({}, 1);
  refused({kTen, kTen}, 1);
  refused({kTen}, 0);
  refused({kTen}, kNaN);
  refused({kTen}, HUGE_VAL);
  refused({kTen}, 1e300);
  refused({BlockOutput(LatticeRange{{0}, 3, 3}, 0)}, 1);
}

}  // namespace
}  // namespace dp::test::joint_blocks_test
