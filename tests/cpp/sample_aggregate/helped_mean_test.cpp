#include "core/sample_aggregate/helped_mean.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/data/frame.h"
#include "core/sample_aggregate/named_blocks.h"
#include "support/doubles.h"
#include "support/expect_error.h"

namespace dp::test::helped_mean_test {
namespace {

using Doubles = std::vector<double>;
using Intervals = std::vector<Interval>;

const ColumnSpec kColumn = {"x", 0, 100, 0, 100, false};
const Doubles kTens = {0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100};

// Blocks of one row each. The number of a block is its row.
BlockResults rows_of(BlockDesign design) {
  NamedBlocks mean = named_blocks(BlockFunction::mean, kColumn, design, 1);
  return BlockResults({kColumn}, std::move(design), std::move(mean.function), 1);
}

RangeHelper helper_of(std::function<Intervals(const Intervals&)> ranges) {
  return {{kTens}, std::move(ranges), {{-1, 101}}};
}

Intervals same(const Intervals& inputs) { return inputs; }

// Mean, range and quartiles, with negligible noise.
Doubles released(const Doubles& x,
                 std::function<Intervals(const Intervals&)> ranges,
                 double scale = 1e-12) {
  const auto mean = make_helped_mean(rows_of(BlockDesign::partitions(x.size(), x.size(), 1)),
                                     helper_of(std::move(ranges)),
                                     1e-9,
                                     scale);
  const FramePtr frame = std::make_shared<Frame>(
      AtomType::string,
      std::vector<NamedColumn>{{Scalar(std::string("x")), make_column(AtomType::f64, x)}});
  const Value value = mean.invoke(frame);
  const auto& rows = static_cast<const OwnedColumn<double>&>(*rows_in(value));
  return {rows.cells(), rows.cells() + rows.size()};
}

void expect_near(const Doubles& values, const Doubles& expected) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1e-9) << i;
}

const Doubles kRows = {0, 20, 20, 20, 30, 40, 40, 40, 100};

TEST(HelpedMean, MovesNumbersIntoTheRangeThatFollowsFromTheQuartiles) {
  expect_near(released(kRows, same), {30, 20, 40, 20, 40});
  const auto twice = [](const Intervals& inputs) {
    return Intervals{{inputs[0].first - 20, inputs[0].second + 20}};
  };
  expect_near(released(kRows, twice), {270.0 / 9, 0, 60, 20, 40});
}

TEST(HelpedMean, NoiseHasTheScaleOfTheRangesWidth) {
  // Nine numbers in a range of width 20: scale 2 * 20 of the sum.
  constexpr int kDraws = 2000;
  double total = 0;
  for (int i = 0; i < kDraws; ++i) total += std::fabs(released(kRows, same, 2)[0] - 30);
  EXPECT_NEAR(total / kDraws / (40.0 / 9), 1, 6 / std::sqrt(double{kDraws}));
}

TEST(HelpedMean, EqualQuartilesGiveWayToTheirNeighbours) {
  expect_near(released({50, 50, 50, 50}, same), {50, 40, 60, 40, 60});
  expect_near(released({0, 0, 0, 0}, same), {0, 0, 10, 0, 10});
  expect_near(released({100, 100, 100, 100}, same), {100, 90, 100, 90, 100});
}

TEST(HelpedMean, D_CTL_1_ARuleThatFailsGivesWayToTheRangeThatIsAlwaysRight) {
  const Doubles fallback = {310.0 / 9, -1, 101, 20, 40};
  const std::vector<Intervals> bad = {
      {}, {{0, 1}, {0, 1}}, {{1, 1}}, {{2, 1}}, {{kNaN, 1}}, {{0, HUGE_VAL}}, {{-1e308, 1e308}}};
  for (const Intervals& ranges : bad) {
    expect_near(released(kRows, [&](const Intervals&) { return ranges; }), fallback);
  }
}

TEST(HelpedMean, D_SEN_1_ItsLossIsThatOfTwoSelectionsForAColumnAndOfTheMean) {
  const auto loss = [](BlockDesign design, std::uint32_t d) {
    const auto mean = make_helped_mean(rows_of(std::move(design)), helper_of(same), 8, 2);
    return number_in<double>(mean.map(Scalar(d)));
  };
  EXPECT_EQ(loss(BlockDesign::partitions(6, 3, 1), 0), 0);
  EXPECT_GE(loss(BlockDesign::partitions(6, 3, 1), 1), 2 * 2.0 / 8 + 1.0 / 2);
  EXPECT_NEAR(loss(BlockDesign::partitions(6, 3, 1), 1), 2 * 2.0 / 8 + 1.0 / 2, 1e-12);
  EXPECT_NEAR(loss(BlockDesign::partitions(6, 3, 1), 3), 3, 1e-12);
  // The overlap counts only for the mean; in its own column, a row appears once.
  EXPECT_NEAR(loss(BlockDesign::partitions(6, 3, 4), 1), 2 * 2.0 / 8 + 4.0 / 2, 1e-12);
  EXPECT_NEAR(loss(BlockDesign::labels(3), 1), 2 * 1.5 / 8 + 1.0 / 2, 1e-12);
}

TEST(HelpedMean, RefusesWhatDoesNotFit) {
  const auto refused = [](RangeHelper helper, double selection_scale, double scale) {
    expect_error(ErrorKind::make_measurement, [&] {
      make_helped_mean(
          rows_of(BlockDesign::partitions(4, 2, 1)), std::move(helper), selection_scale, scale);
    });
  };
  refused(helper_of(same), 1, 0);
  refused(helper_of(same), 1, HUGE_VAL);
  refused(helper_of(same), -1, 1);
  RangeHelper helper = helper_of(same);
  helper.candidates = {{1}};
  refused(helper, 1, 1);
  helper.candidates = {{100, 50, 0}};
  refused(helper, 1, 1);
  helper.candidates = {kTens, kTens};
  refused(helper, 1, 1);
  helper = helper_of(same);
  helper.otherwise = {{1, 1}};
  refused(helper, 1, 1);
  helper.otherwise = {{0, 1}, {0, 1}};
  refused(helper, 1, 1);
}

}  // namespace
}  // namespace dp::test::helped_mean_test
