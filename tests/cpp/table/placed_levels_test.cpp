#include "core/table/placed_levels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/frames.h"

namespace dp::test::placed_levels_test {
namespace {

ColumnSpec levels(const std::string& name, double count) { return column(name, 1, count, true); }

std::vector<Doubles> placed(const std::vector<ColumnSpec>& columns,
                            LevelGaps gaps,
                            std::uint64_t n,
                            const Value& frame) {
  const auto t = make_place_levels(columns, gaps, n);
  EXPECT_EQ(t.output_domain(), Domain(DataFrameDomain{AtomType::string}));
  std::vector<Doubles> all;
  const Value released = t.invoke(frame);
  for (const NamedColumn& each : frame_in(released)->columns()) {
    all.push_back(doubles_in(each.contents->as(AtomType::f64)));
  }
  return all;
}

TEST(PlacedLevels, CountFromZeroAndGapsComeLast) {
  const Value frame = frame_of({1, 2, 3, kNaN}, {2, kNaN, 1, kNaN});
  const auto all = placed({levels("x", 3), levels("y", 2)}, LevelGaps::own_place, 4, frame);
  EXPECT_EQ(all[0], (Doubles{0, 1, 2, 3}));
  EXPECT_EQ(all[1], (Doubles{1, 2, 0, 2}));
}

TEST(PlacedLevels, OutsideOfTheirBoundsAreTheNearestOne) {
  const Value frame = frame_of({-kInf, 0, 1.9, 4, kInf}, {1, 1, 1, 1, 1});
  EXPECT_EQ(placed({levels("x", 3)}, LevelGaps::own_place, 5, frame)[0], (Doubles{3, 0, 0, 2, 3}));
}

// 3,000 draws of three levels: 1,000 of each, up to 7 standard deviations.
TEST(PlacedLevels, AreDrawnForGapsAllOfThemAsLikely) {
  const Value frame = frame_of(Doubles(3000, kNaN), Doubles(3000, 2));
  const auto all = placed({levels("x", 3), levels("y", 2)}, LevelGaps::imputed, 3000, frame);
  double count[3] = {};
  for (const double place : all[0]) ++count[static_cast<std::size_t>(place)];
  for (const double each : count) EXPECT_NEAR(each, 1000, 181);
  EXPECT_EQ(all[1], Doubles(3000, 1));
}

TEST(PlacedLevels, LackingRowsAreGapsAndSuperfluousOnesAreDropped) {
  const auto more = placed({levels("x", 2)}, LevelGaps::own_place, 4, frame_of({1, 1}, {1, 1}));
  EXPECT_EQ(more[0].size(), 4U);
  double gaps = 0;
  for (const double place : more[0]) gaps += place == 2 ? 1 : 0;
  EXPECT_EQ(gaps, 2);
  const auto fewer = placed({levels("x", 2)}, LevelGaps::imputed, 1, frame_of({2, 2}, {1, 1}));
  EXPECT_EQ(fewer[0], Doubles{1});
}

// Largest number of rows that differ between the results of two frames with one replaced row.
std::size_t most_moved(LevelGaps gaps) {
  const Doubles values = {kNaN, 1, 2, 7, kInf};
  std::size_t most = 0;
  for (const double a : values) {
    for (const double b : values) {
      for (const double other : values) {
        const std::vector<ColumnSpec> columns = {levels("x", 2), levels("y", 2)};
        const auto of = [&](double x) {
          return placed(columns, gaps, 2, frame_of({x, other}, {other, x}));
        };
        const auto here = of(a);
        const auto there = of(b);
        // The second row of x and the first of y stay.
        std::size_t moved = 0;
        if (here[0][1] != there[0][1]) ++moved;
        if (here[1][0] != there[1][0]) ++moved;
        most = std::max(most, moved);
      }
    }
  }
  return most;
}

TEST(PlacedLevels, D_SEN_1_ACellSaysNothingOfOthers) {
  EXPECT_EQ(most_moved(LevelGaps::own_place), 0U);
  // Draws differ from run to run, so this check can fail.
  EXPECT_GT(most_moved(LevelGaps::imputed), 0U);
}

TEST(PlacedLevels, CostWhatTheirRowsCost) {
  const auto t = make_place_levels({levels("x", 2)}, LevelGaps::imputed, 5);
  for (const std::uint32_t rows : {0U, 1U, 7U}) {
    EXPECT_EQ(number_in<std::uint32_t>(t.map(Distance(Scalar(rows)))), rows);
  }
}

TEST(PlacedLevels, RefusesWhatItMust) {
  const auto refused = [](ErrorKind kind, const std::vector<ColumnSpec>& columns, std::uint64_t n) {
    expect_error(kind, [&] { make_place_levels(columns, LevelGaps::own_place, n); });
  };
  refused(ErrorKind::make_measurement, {}, 5);
  refused(ErrorKind::make_measurement, {levels("x", 2), levels("x", 2)}, 5);
  refused(ErrorKind::make_measurement, {levels("x", 1)}, 5);
  refused(ErrorKind::make_transformation, {column("x", 0, 1)}, 5);
  refused(ErrorKind::make_transformation, {levels("x", 2)}, 0);
}

}  // namespace
}  // namespace dp::test::placed_levels_test
