#include "core/measurements/cluster_moments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/frames.h"
#include "support/outcomes.h"

namespace dp::test::cluster_moments_test {
namespace {

constexpr std::int32_t kRange = std::int32_t{1} << kClusterBits;

// Boxes as wide as the bounds, and fixed centres.
Clusters in_wide_boxes(const Doubles& centres) {
  return {centres, Doubles(centres.size(), 0), Doubles(centres.size(), 1)};
}

ClusterPlan plan_of(std::uint64_t n,
                    const Doubles& start,
                    double epsilon = 1,
                    std::uint64_t T = 1) {
  return {start, T, Epsilon(epsilon), n, in_wide_boxes, [](const Clusters& at, const Doubles&) {
            return at.centres;
          }};
}

const std::vector<ColumnSpec> kColumns = {column("x"), column("y", 0, 1)};

Doubles released(const ClusterPlan& plan, const Value& rows) {
  return doubles_in(make_cluster_moments(kColumns, plan).invoke(rows));
}

void expect_near(const Doubles& found, const Doubles& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-6) << i;
}

Doubles part_of(const Doubles& all, std::size_t first, std::size_t size) {
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(size)};
}

// Two rows at the first centre, one at the second, and two with a missing value.
const Value kFrame = frame_of({2.5, -3, 7.5, kNaN, 5}, {0, 0.5, 1, 0.5, kNaN});
const Doubles kStart = {0.25, 0.25, 0.75, 0.75};

TEST(ClusterMoments, ConvergeToWhereARoundLooksAndBernsteinSumsOfEachCluster) {
  const Doubles found = released(plan_of(5, kStart, 1e15), kFrame);
  ASSERT_EQ(found.size(), 24u);
  EXPECT_EQ(part_of(found, 0, 4), kStart);
  EXPECT_EQ(part_of(found, 4, 4), Doubles(4, 0));
  EXPECT_EQ(part_of(found, 8, 4), Doubles(4, 1));
  expect_near(part_of(found, 12, 6), {0.5625 + 1, 0.375, 0.0625, 1 + 0.25, 0.5, 0.25});
  expect_near(part_of(found, 18, 6), {0.0625, 0.375, 0.5625, 0, 0, 1});
}

TEST(ClusterMoments, ValuesAreMovedIntoTheBoxOfTheirCluster) {
  ClusterPlan plan = plan_of(5, kStart, 1e15);
  plan.around = [](const Doubles& centres) {
    return Clusters{centres, {0.125, 0.25, 0.25, 0}, {0.25, 0.75, 1, 0.5}};
  };
  const Doubles found = released(plan, kFrame);
  EXPECT_EQ(part_of(found, 4, 8), Doubles({0.125, 0.25, 0.25, 0, 0.25, 0.75, 1, 0.5}));
  expect_near(part_of(found, 12, 6), {1, 0, 1, 1 + 0.25, 0.5, 0.25});
  expect_near(part_of(found, 18, 6), {1.0 / 9, 4.0 / 9, 4.0 / 9, 0, 0, 1});
}

TEST(ClusterMoments, RoundsSeeWhatTheOnesBeforeReleasedAndNothingElse) {
  std::vector<Doubles> seen;
  ClusterPlan plan = plan_of(5, kStart, 2, 3);
  plan.next = [&](const Clusters& at, const Doubles& cells) {
    seen.push_back(at.centres);
    seen.push_back(cells);
    return seen.size() == 2 ? Doubles{0, 0, 1, 1} : Doubles{1, 1, kNaN, -0.5};
  };
  const Doubles found = released(plan, kFrame);
  ASSERT_EQ(found.size(), 72u);
  ASSERT_EQ(seen.size(), 4u);
  EXPECT_EQ(seen[0], kStart);
  EXPECT_EQ(seen[1], part_of(found, 12, 12));
  EXPECT_EQ(seen[2], Doubles({0, 0, 1, 1}));
  EXPECT_EQ(seen[3], part_of(found, 36, 12));
  EXPECT_EQ(part_of(found, 48, 4), Doubles({1, 1, 0, 0}));
}

TEST(ClusterMoments, LackingRowsLackTheirValuesAndSuperfluousOnesAreDropped) {
  const Doubles start = {0.5, 0.5};
  const Value two = frame_of({0, 0}, {0, 0});
  expect_near(part_of(released(plan_of(5, start, 1e15), two), 6, 6), {2, 0, 0, 2, 0, 0});
  const Value three = frame_of({0, 0, 0}, {0, 0, 0});
  expect_near(part_of(released(plan_of(2, start, 1e15), three), 6, 6), {2, 0, 0, 2, 0, 0});
}

TEST(ClusterMoments, StepsAreTheNearest) {
  for (const std::int64_t width :
       {std::int64_t{1}, std::int64_t{75}, (std::int64_t{1} << 41) - 1}) {
    EXPECT_EQ(cluster_step(0, width), 0);
    EXPECT_EQ(cluster_step(width, width), kRange);
  }
  EXPECT_EQ(cluster_step(1, 3), 5592405);   // 2^24 / 3 is 1/3 more
  EXPECT_EQ(cluster_step(2, 3), 11184811);  // 1/3 less
  EXPECT_EQ(cluster_step(1, std::int64_t{1} << 25), 1);
}

TEST(ClusterMoments, TheFirstOfEquallyNearCentresHasTheRow) {
  const ClusterGrid at = cluster_grid(in_wide_boxes({0, 0, 0.5, 0.5, 0.5, 0.5, 1, 0}), 2);
  const std::int32_t quarter = kRange / 4;
  const auto nearest = [&](std::int32_t x, std::int32_t y) {
    const std::int32_t row[] = {x, y};
    return nearest_centre(row, at);
  };
  EXPECT_EQ(nearest(quarter, quarter), 0u);
  EXPECT_EQ(nearest(quarter + 1, quarter), 1u);
  EXPECT_EQ(nearest(2 * quarter, 2 * quarter), 1u);
  EXPECT_EQ(nearest(2 * quarter, 0), 0u);
  EXPECT_EQ(nearest(2 * quarter + 1, 0), 3u);
}

TEST(ClusterMoments, GridsHaveBoxesOfSomeWidth) {
  const ClusterGrid grid =
      cluster_grid({{kNaN, 2, -1, 0.5}, {0.5, 1, kNaN, -1}, {0.25, 1, 0, 2}}, 4);
  EXPECT_EQ(grid.centres, (std::vector<std::int32_t>{0, kRange, 0, kRange / 2}));
  EXPECT_EQ(grid.lower, (std::vector<std::int32_t>{kRange / 2, kRange - 1, 0, 0}));
  EXPECT_EQ(grid.upper, (std::vector<std::int32_t>{kRange / 2 + 1, kRange, 1, kRange}));
  expect_error(ErrorKind::failed_function, [] { cluster_grid({{0, 0, 0}, {0, 0}, {1, 1}}, 1); });
  expect_error(ErrorKind::failed_function, [] {
    cluster_grid({{0, 0, 0}, {0, 0, 0}, {1, 1, 1}}, 2);
  });
}

// What a release does with the cells of rows. The default follows the header.
struct Release {
  Rational scale;                     // of the noise
  bool counts_are_exact = false;      // they come without noise, too
  bool second_cluster_counts = true;  // otherwise only its old cluster counts
};

// Every contribution of a row to the cells, in parts of a row. The last cell of each cluster is its
// count.
using Cells = std::vector<Rational>;

Cells cells_of(const std::int32_t* row, const ClusterGrid& at) {
  const std::size_t clusters = at.centres.size() / at.columns;
  Cells cells(3 * at.centres.size() + clusters);
  const std::size_t k = nearest_centre(row, at);
  for (std::size_t c = 0; c < at.columns; ++c) {
    const std::size_t place = k * at.columns + c;
    const auto shares = box_shares(row[c], at.lower[place], at.upper[place]);
    const Rational width(at.upper[place] - at.lower[place]);
    for (std::size_t i = 0; i < 3; ++i)
      cells[3 * place + i] = Rational(Integer(shares[i])) / (width * width);
  }
  cells[3 * at.centres.size() + k] = 1;
  return cells;
}

// Rows of two columns with five values each, and a row with a missing value.
std::vector<Cells> all_rows(const ClusterGrid& at) {
  std::vector<Cells> rows{Cells(3 * at.centres.size() + at.centres.size() / at.columns)};
  for (std::int32_t x = 0; x <= 4; ++x) {
    for (std::int32_t y = 0; y <= 4; ++y) {
      const std::int32_t row[] = {x * (kRange / 4), y * (kRange / 4)};
      rows.push_back(cells_of(row, at));
    }
  }
  return rows;
}

// Empty if the loss of one row is unbounded.
std::optional<Rational> loss_between(const Cells& here,
                                     const Cells& there,
                                     std::size_t cells,
                                     const Release& release) {
  Rational moved(0);
  for (std::size_t i = 0; i < cells; ++i) {
    const Rational change = here[i] - there[i];
    const bool is_left_out = !release.second_cluster_counts && change < 0;
    if (!is_left_out) moved += change < 0 ? Rational(-change) : change;
  }
  const bool same_counts = std::equal(here.begin() + static_cast<std::ptrdiff_t>(cells),
                                      here.end(),
                                      there.begin() + static_cast<std::ptrdiff_t>(cells));
  if (release.counts_are_exact && !same_counts) return std::nullopt;
  return Rational(moved / release.scale);
}

std::optional<Rational> greatest_loss(const ClusterGrid& at, const Release& release) {
  const std::vector<Cells> rows = all_rows(at);
  Rational greatest(0);
  for (const Cells& here : rows) {
    for (const Cells& there : rows) {
      const auto loss = loss_between(here, there, 3 * at.centres.size(), release);
      if (!loss) return std::nullopt;
      greatest = std::max(greatest, *loss);
    }
  }
  return greatest;
}

const std::vector<ClusterGrid> kGrids = {
    cluster_grid(in_wide_boxes({0.25, 0.25, 0.75, 0.75}), 2),
    cluster_grid(in_wide_boxes({0.5, 0.5}), 2),
    cluster_grid({{0.2, 0.1, 0.9, 0.4, 0.5, 1}, {0, 0, 0.6, 0.3, 0, 0.5}, {0.5, 0.4, 1, 0.9, 1, 1}},
                 2)};

TEST(ClusterMoments, D_SEN_1_NoReplacedRowLosesMoreThanTheShareOfARoundAndSomeLoseIt) {
  for (const std::uint64_t rounds : {1, 3}) {
    const Release right{cluster_scale(2, rounds, Epsilon(0.75))};
    for (const ClusterGrid& at : kGrids)
      EXPECT_EQ(*greatest_loss(at, right), Rational(3, 4) / Rational(Integer(rounds)));
  }
}

TEST(ClusterMoments, D_SEN_1_TheSameCheckRejectsLessNoise) {
  const Rational scale = cluster_scale(2, 1, Epsilon(1));
  const Rational half = scale / 2;
  EXPECT_GT(*greatest_loss(kGrids[0], {half}), Rational(1));
  EXPECT_FALSE(greatest_loss(kGrids[0], {scale, true}).has_value());
  // Mutant: a row that changes its cluster changes only one cluster, so half of the noise suffices.
  EXPECT_LE(*greatest_loss(kGrids[0], {half, false, false}), Rational(1));
}

TEST(ClusterMoments, D_SEN_1_ARowThatLacksAValueIsFree) {
  const Release right{cluster_scale(2, 1, Epsilon(1))};
  for (const ClusterGrid& at : kGrids) {
    const std::vector<Cells> rows = all_rows(at);
    for (const Cells& row : rows)
      EXPECT_LE(*loss_between(row, rows[0], 3 * at.centres.size(), right), Rational(1, 2));
  }
}

// Releases of one round for a column with few values: of a row, and of its replacement. An empty
// row has a missing value.
Outcomes round_of(const std::optional<std::int32_t>& here,
                  const std::optional<std::int32_t>& there,
                  const ClusterGrid& at,
                  const Rational& scale) {
  Outcomes all = {{1, 1}};
  for (std::size_t k = 0; k < at.centres.size(); ++k) {
    const auto adds = [&](const std::optional<std::int32_t>& z) {
      const bool is_here = z && nearest_centre(&*z, at) == k;
      return is_here ? box_shares(*z, at.lower[k], at.upper[k]) : std::array<std::int64_t, 3>{};
    };
    const auto these = adds(here);
    const auto others = adds(there);
    const Rational width(at.upper[k] - at.lower[k]);
    const Rational steps = scale * width * width;
    for (std::size_t i = 0; i < 3; ++i) {
      const long apart = std::labs(static_cast<long>(these[i] - others[i]));
      const Wide wide = Wide(numerator(steps)) / Wide(denominator(steps));
      if (apart > 0) all = product(all, laplace_outcomes(wide, apart));
    }
  }
  return all;
}

const std::vector<ClusterGrid> kTiny = {{1, {0, 3}, {0, 2}, {1, 3}},
                                        {1, {1, 2}, {0, 0}, {2, 1}},
                                        {1, {2, 0}, {1, 0}, {3, 2}},
                                        {1, {1}, {0}, {3}}};

// Worst exact delta of two rounds with noise of this scale, over any two rows. After each outcome
// of the first round, the second uses the most revealing centres.
Wide worst_delta(const Rational& scale, double epsilon) {
  const std::vector<std::optional<std::int32_t>> rows = {std::nullopt, 0, 1, 2, 3};
  Wide worst = 0;
  for (const auto& here : rows) {
    for (const auto& there : rows) {
      std::vector<Outcomes> second;
      for (const ClusterGrid& at : kTiny) second.push_back(round_of(here, there, at, scale));
      for (const Outcomes& first : second) {
        Wide delta = 0;
        for (const Outcome& outcome : first) {
          Wide most = 0;
          for (const Outcomes& next : second)
            most = std::max(most, delta_of(product({outcome}, next), epsilon));
          delta += most;
        }
        worst = std::max(worst, delta);
      }
    }
  }
  return worst;
}

TEST(ClusterMoments, D_EPS_1_TheExactLawsOfTwoAdaptiveRoundsLoseEpsilonAndNoLess) {
  const Rational scale = cluster_scale(1, 2, Epsilon(1.5));
  EXPECT_LT(worst_delta(scale, 1.5), Wide(1e-30));
  EXPECT_GT(worst_delta(scale, 1.49), Wide(1e-6));
  EXPECT_GT(worst_delta(Rational(scale / 2), 1.5), Wide(1e-2));
  // Mutant: the second round is free.
  EXPECT_GT(worst_delta(cluster_scale(1, 1, Epsilon(1.5)), 1.5), Wide(1e-2));
}

TEST(ClusterMoments, D_EPS_1_LossIsEpsilonForEachRowWhateverTheRounds) {
  for (const std::uint64_t rounds : {1, 7, 1000}) {
    const auto measurement = make_cluster_moments(kColumns, plan_of(5, kStart, 0.3, rounds));
    EXPECT_EQ(number_in<double>(measurement.map(Scalar(std::uint32_t{0}))), 0);
    EXPECT_EQ(number_in<double>(measurement.map(Scalar(std::uint32_t{1}))), 0.3);
    EXPECT_GE(number_in<double>(measurement.map(Scalar(std::uint32_t{3}))), 3 * 0.3);
    // The map of one row covers the shares of all rounds exactly.
    const Rational shares = Rational(Integer(rounds)) * 4 / cluster_scale(2, rounds, Epsilon(0.3));
    EXPECT_EQ(shares, exact_rational(0.3));
  }
}

TEST(ClusterMoments, NoiseHasTheSpreadOfItsScaleInEachRound) {
  constexpr int kDraws = 4000;
  ClusterPlan plan = plan_of(2, kStart, 0.5, 2);
  plan.around = [](const Doubles& centres) {
    return Clusters{centres, {0, 0, 0.5, 0.5}, {0.5, 1, 0.75, 0.5}};
  };
  const auto measurement = make_cluster_moments(kColumns, plan);
  const Value nothing = frame_of({kNaN, 1}, {0, kNaN});
  const double scale = to_double_nearest(cluster_scale(2, 2, Epsilon(0.5)));
  EXPECT_EQ(scale, 16);
  Doubles totals(24, 0.0);
  for (int i = 0; i < kDraws; ++i) {
    const Doubles found = doubles_in(measurement.invoke(nothing));
    for (std::size_t c = 0; c < 24; ++c) totals[c] += std::fabs(found[12 + c + (c < 12 ? 0 : 12)]);
  }
  // 24 means of kDraws draws, each within 6.5 standard errors.
  for (const double total : totals)
    EXPECT_NEAR(total / kDraws, scale, 6.5 * scale / std::sqrt(double{kDraws}));
}

TEST(ClusterMoments, RefusesWhatItMust) {
  const auto refused = [](const std::vector<ColumnSpec>& columns, const ClusterPlan& plan) {
    expect_error(ErrorKind::make_measurement, [&] { make_cluster_moments(columns, plan); });
  };
  refused(kColumns, plan_of(1, kStart));
  refused(kColumns, plan_of(std::uint64_t{1} << 40, kStart));
  refused(kColumns, plan_of(5, kStart, kInf));
  refused(kColumns, plan_of(5, kStart, 0));
  refused(kColumns, plan_of(5, kStart, 1e-320));
  refused(kColumns, plan_of(5, kStart, 1, 0));
  refused(kColumns, plan_of(5, kStart, 1, 1001));
  refused(kColumns, plan_of(5, {}));
  refused(kColumns, plan_of(5, {0.5, 0.5, 0.5}));
  refused(kColumns, plan_of(5, Doubles(2002, 0.5)));
  for (const double bad : {-0.1, 1.1, kNaN}) refused(kColumns, plan_of(5, {0.5, bad}));
  refused({}, plan_of(5, kStart));
  refused({column("x", 1, 1), kColumns[1]}, plan_of(5, kStart));
  refused({kColumns[0], kColumns[0]}, plan_of(5, kStart));
  std::vector<ColumnSpec> many;
  for (int i = 0; i < 65; ++i) many.push_back(column(std::to_string(i)));
  refused(many, plan_of(5, Doubles(65, 0.5)));
}

}  // namespace
}  // namespace dp::test::cluster_moments_test
