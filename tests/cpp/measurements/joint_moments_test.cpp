#include "core/measurements/joint_moments.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/measures/measure.h"
#include "core/numeric/rational.h"
#include "measurements/joint_moments_support.h"
#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/frames.h"

namespace dp::test::joint_moments_test {
namespace {

Doubles released(const Measurement& measurement, const Value& frame) {
  return doubles_in(measurement.invoke(frame));
}

JointPlan plan_of(bool products, std::uint64_t n, double epsilon = 1, std::uint64_t weight = 1) {
  return {Gaps::dropped, products, weight, Epsilon(epsilon), n};
}

JointPlan imputed_plan(std::uint64_t n, double epsilon = 1) {
  return {Gaps::imputed, true, 1, Epsilon(epsilon), n};
}

void expect_near(const Doubles& found, const Doubles& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-8) << i;
}

TEST(JointMoments, ConvergeToThoseOfClampedRowsWithoutGaps) {
  const std::vector<ColumnSpec> columns = {column("x", 0, 10), column("y", -4, 2)};
  const auto exact = [&](bool products, const Value& frame, std::uint64_t n) {
    return released(make_joint_moments(columns, plan_of(products, n, 1e15)), frame);
  };
  // About (5, -1): (-5, 1), (1, -1), a gap, a gap, (5, -3).
  const Value frame = frame_of({-3, 6, kNaN, 8, kInf}, {0, -2, 1, kNaN, -kInf});
  expect_near(exact(true, frame, 5), {3, 1, -3, 51, -21, 11});
  expect_near(exact(false, frame, 5), {3, 1, -3});
  const Value none = frame_of({kNaN, 1}, {2, kNaN});
  expect_near(exact(true, none, 2), {0, 0, 0, 0, 0, 0});
}

TEST(JointMoments, OfImputedRowsAreThoseOfAllOfThem) {
  const std::vector<ColumnSpec> columns = {{"x", 0, 10, 6, 6, false}, {"y", -4, 2, 1, 1, false}};
  const auto measurement = make_joint_moments(columns, imputed_plan(4, 1e15));
  // About (5, -1): (-5, 1), (1, 2), (3, 3), and (1, 2) for a row without values.
  const Value frame = frame_of({-3, kNaN, 8}, {0, kNaN, kInf});
  expect_near(released(measurement, frame), {0, 8, 36, 8, 18});
}

TEST(JointMoments, OfWholeColumnsFractionsAreCutOffAndInfinitiesAreGaps) {
  const std::vector<ColumnSpec> columns = {column("x", 0, 10, true), column("y", 0, 2, true)};
  const auto measurement = make_joint_moments(columns, plan_of(false, 3, 1e15));
  expect_near(released(measurement, frame_of({2.9, kInf, 7}, {1, 1, 2})), {2, -1, 1});
}

TEST(JointMoments, LackingRowsAreGapsAndSuperfluousOnesAreDroppedAtRandom) {
  const auto exact = [](std::uint64_t n) {
    const auto measurement =
        make_joint_moments({column("x", 0, 8), column("y", 0, 8)}, plan_of(true, n, 1e15));
    return released(measurement, frame_of({0, 4, 8}, {0, 4, 8}));
  };
  expect_near(exact(5), {3, 0, 0, 32, 32, 32});
  double total = 0;
  for (int i = 0; i < 200; ++i) {
    const Doubles found = exact(2);
    EXPECT_NEAR(found[0], 2, 1e-8);
    EXPECT_NEAR(found[1], found[2], 1e-8);  // the columns stay together
    total += found[1];
  }
  // Sums of -4, 0 or 4, with standard deviation 4 sqrt(2 / 3).
  EXPECT_NEAR(total / 200, 0, 6 * 4 * std::sqrt(2.0 / 3 / 200));
}

// Every contribution of a row, (1, u) for u in `grid`^P or a gap, and its loss against another row.
using Row = std::vector<int>;  // in units of `grid`'s largest

std::vector<Row> all_rows(std::size_t columns, Gaps gaps, const std::vector<int>& grid) {
  std::vector<Row> rows = all_places(grid.back(), columns, grid);
  if (gaps == Gaps::dropped) rows.emplace_back(columns + 1, 0);
  return rows;
}

// Greatest loss of one replaced row, at these noise scales.
Rational greatest_loss(std::size_t columns,
                       const JointPlan& plan,
                       const Scales& scales,
                       const std::vector<int>& grid) {
  const std::vector<JointMoment> moments = joint_moments(columns, plan);
  const std::vector<Row> rows = all_rows(columns, plan.gaps, grid);
  const Rational unit(grid.back() * grid.back());
  return greatest_over_pairs(
      rows, moments.size(), [&](const Row& here, const Row& there, std::size_t m) -> Rational {
        const auto [i, j] = moments[m];
        return Rational(std::abs(here[i] * here[j] - there[i] * there[j])) / unit / scales[m];
      });
}

const std::vector<int> kHalves = {-2, -1, 0, 1, 2};
const std::vector<int> kEnds = {-1, 0, 1};

TEST(JointMoments, D_SEN_1_NoReplacedRowLosesMoreThanEpsilonAndSomeLoseIt) {
  for (const bool products : {false, true}) {
    for (const std::uint64_t weight : {1, 2, 3}) {
      const JointPlan plan = plan_of(products, 9, 0.75, weight);
      for (const std::size_t columns : {1, 2, 3}) {
        const auto& grid = columns == 3 ? kEnds : kHalves;
        const Rational greatest = greatest_loss(columns, plan, scales_of(columns, plan), grid);
        EXPECT_EQ(greatest, Rational(3, 4)) << products << weight << columns;
      }
    }
  }
}

TEST(JointMoments, D_SEN_1_NoReplacedImputedRowLosesMoreThanEpsilonAndSomeLoseIt) {
  const JointPlan plan = imputed_plan(9, 0.75);
  for (const std::size_t columns : {1, 2, 3}) {
    const auto& grid = columns == 3 ? kEnds : kHalves;
    Scales scales = scales_of(columns, plan);
    EXPECT_EQ(greatest_loss(columns, plan, scales, grid), Rational(3, 4)) << columns;
    // The noise of the first sum cannot be smaller, nor can the noise of the last square.
    for (const std::size_t mutant : {std::size_t{0}, scales.size() - 1}) {
      Scales less = scales;
      less[mutant] /= 2;
      EXPECT_GT(greatest_loss(columns, plan, less, grid), Rational(3, 4)) << columns << mutant;
    }
  }
}

TEST(JointMoments, D_SEN_1_TheSameCheckRejectsLessNoise) {
  const JointPlan plan = plan_of(true, 9, 1, 2);
  const Scales right = scales_of(1, plan);  // of the count, the sum, the squares
  EXPECT_LE(greatest_loss(1, plan, right, kHalves), Rational(1));
  Scales squares = right;
  squares[2] /= 2;
  EXPECT_GT(greatest_loss(1, plan, squares, kHalves), Rational(1));
  Scales third = right;
  for (Rational& scale : third) scale *= Rational(2, 3);
  EXPECT_GT(greatest_loss(1, plan, third, kHalves), Rational(1));
  Scales wrong = right;
  wrong[0] = Rational(1, 1000);
  EXPECT_GT(greatest_loss(1, plan, wrong, kHalves), Rational(1));
  const JointPlan sums = plan_of(false, 9);
  Scales half = scales_of(2, sums);
  half[1] /= 2;
  EXPECT_GT(greatest_loss(2, sums, half, kHalves), Rational(1));
}

TEST(JointMoments, OneColumnHasThePublishedScales) {
  EXPECT_EQ(scales_of(1, plan_of(false, 9, 0.5)), (Scales{4, 4}));
  EXPECT_EQ(scales_of(1, plan_of(true, 9, 0.5, 1)), (Scales{8, 4, 8}));
  EXPECT_EQ(scales_of(1, plan_of(true, 9, 0.5, 2)),
            (Scales{Rational(9, 2), Rational(9, 2), Rational(18)}));
  // The sum costs the same without the squares, so the squares are free.
  EXPECT_EQ(scales_of(1, imputed_plan(9, 0.5)), (Scales{4, 8}));
}

TEST(JointMoments, LossIsEpsilonForEachRow) {
  const auto measurement =
      make_joint_moments({column("x", 0, 1), column("y", 0, 1)}, plan_of(true, 5, 0.75));
  EXPECT_EQ(number_in<double>(measurement.map(Scalar(std::uint32_t{0}))), 0);
  EXPECT_EQ(number_in<double>(measurement.map(Scalar(std::uint32_t{1}))), 0.75);
  EXPECT_EQ(number_in<double>(measurement.map(Scalar(std::uint32_t{3}))), 2.25);
}

TEST(JointMoments, NoiseHasTheSpreadOfItsScale) {
  constexpr int kDraws = 20000;
  const Value frame = frame_of({3, 3}, {3, 3});  // the middle
  for (const bool products : {false, true}) {
    const JointPlan plan = plan_of(products, 2, 0.5, 2);
    const auto measurement = make_joint_moments({column("x", 1, 5)}, plan);
    const Scales scales = scales_of(1, plan);
    Doubles totals(scales.size(), 0.0);
    for (int i = 0; i < kDraws; ++i) {
      const Doubles found = released(measurement, frame);
      for (std::size_t m = 0; m < found.size(); ++m) totals[m] += std::fabs(found[m] - (m ? 0 : 2));
    }
    for (std::size_t m = 0; m < scales.size(); ++m) {
      // A half-width of 2, once for each power of x; counts are integers.
      const double scale = to_double_nearest(scales[m]) * std::pow(2.0, static_cast<double>(m));
      const double mean = m ? scale : 1 / std::sinh(1 / scale);
      EXPECT_NEAR(totals[m] / kDraws, mean, 6 * scale / std::sqrt(double{kDraws})) << m;
    }
  }
}

TEST(JointMoments, RefusesWhatItMust) {
  const auto refused = [](const std::vector<ColumnSpec>& columns, const JointPlan& plan) {
    expect_error(ErrorKind::make_measurement, [&] { make_joint_moments(columns, plan); });
  };
  const JointPlan right = plan_of(true, 5);
  refused({column("x", 0, 1)}, plan_of(true, 1));
  refused({column("x", 0, 1)}, plan_of(true, std::uint64_t{1} << 40));
  refused({column("x", 0, 1)}, plan_of(true, 5, 0));
  refused({column("x", 0, 1)}, plan_of(true, 5, kInf));
  refused({column("x", 0, 1)}, plan_of(true, 5, 1e-320));
  refused({column("x", 0, 1)}, plan_of(true, 5, 1, 0));
  refused({column("x", 0, 1)}, plan_of(true, 5, 1, 1001));
  refused({}, right);
  refused({column("x", 1, 1)}, right);
  refused({column("x", 0, 1), column("x", 0, 1)}, right);
  std::vector<ColumnSpec> many;
  for (int i = 0; i < 65; ++i) many.push_back(column(std::to_string(i), 0, 1));
  refused(many, right);
}

// Largest squared L2 distance that one replaced row moves the moments of u.
Rational greatest_square(std::size_t columns, Gaps gaps, const std::vector<int>& grid) {
  const std::vector<JointMoment> moments = joint_moments(columns, GaussianJointPlan{gaps, 1, 9});
  const std::vector<Row> rows = all_rows(columns, gaps, grid);
  const Rational unit(grid.back() * grid.back());
  return greatest_over_pairs(
      rows, moments.size(), [&](const Row& here, const Row& there, std::size_t m) -> Rational {
        const auto [i, j] = moments[m];
        const Rational change = Rational(here[i] * here[j] - there[i] * there[j]) / unit;
        return change * change;
      });
}

double gaussian_rho(std::size_t columns, Gaps gaps, double scale, std::uint32_t rows = 1) {
  std::vector<ColumnSpec> all;
  for (std::size_t c = 0; c < columns; ++c) all.push_back(column(std::to_string(c), 0, 1));
  const auto measurement = make_gaussian_moments(all, {gaps, scale, 9});
  EXPECT_TRUE(measurement.output_measure() == zero_concentrated_divergence());
  return number_in<double>(measurement.map(Scalar(rows)));
}

TEST(JointMoments, D_SEN_1_GaussianNoiseCoversEveryReplacedRowAndHalfOfItDoesNot) {
  for (const Gaps gaps : {Gaps::imputed, Gaps::dropped}) {
    for (const std::size_t columns : {1, 2, 3}) {
      const auto& grid = columns == 3 ? kEnds : kHalves;
      const Rational greatest = greatest_square(columns, gaps, grid);
      const Rational all = Rational((columns + 1) * (columns + 1));
      for (const double scale : {0.5, 2.0, 1000.0}) {
        const double rho = gaussian_rho(columns, gaps, scale);
        const auto lost = [](const Rational& square, double noise) -> Rational {
          return square / (2 * exact_rational(noise) * exact_rational(noise));
        };
        EXPECT_EQ(rho, to_double_up(lost(all, scale)));
        EXPECT_LE(lost(greatest, scale), exact_rational(rho));
        EXPECT_GT(lost(greatest, scale / 2), exact_rational(rho));
        // Half of the rows at one end, half at the other. This attains the bound if W is even.
        if (columns != 2) {
          EXPECT_EQ(greatest, all);
        }
      }
    }
  }
}

TEST(JointMoments, GaussianLossGrowsWithTheSquareOfTheRows) {
  EXPECT_EQ(gaussian_rho(1, Gaps::imputed, 2, 0), 0);
  EXPECT_EQ(gaussian_rho(1, Gaps::imputed, 2, 3), 4.5);
  EXPECT_EQ(gaussian_rho(1, Gaps::imputed, 0), kInf);
  // Rounded up.
  EXPECT_EQ(gaussian_rho(1, Gaps::imputed, 3), 0x1.c71c71c71c71dp-3);
}

TEST(JointMoments, WithLittleGaussianNoiseAreThoseOfTheRows) {
  const std::vector<ColumnSpec> columns = {column("x", 0, 10), column("y", -4, 2)};
  const Value frame = frame_of({-3, 6, kNaN, 8, kInf}, {0, -2, 1, kNaN, -kInf});
  const auto dropping = make_gaussian_moments(columns, {Gaps::dropped, 1e-12, 5});
  expect_near(released(dropping, frame), {3, 1, -3, 51, -21, 11});
  const std::vector<ColumnSpec> imputed = {{"x", 0, 10, 6, 6, false}, {"y", -4, 2, 1, 1, false}};
  const auto imputing = make_gaussian_moments(imputed, {Gaps::imputed, 1e-12, 4});
  expect_near(released(imputing, frame_of({-3, kNaN, 8}, {0, kNaN, kInf})), {0, 8, 36, 8, 18});
}

TEST(JointMoments, GaussianNoiseHasOneStandardDeviationInMomentsOfUnits) {
  constexpr int kDraws = 20000;
  const Value frame = frame_of({3, 3}, {3, 3});  // the middle
  const double scale = 4;
  const auto measurement =
      make_gaussian_moments({column("x", 1, 5)}, GaussianJointPlan{Gaps::dropped, scale, 2});
  Doubles squares(3, 0.0);
  for (int i = 0; i < kDraws; ++i) {
    const Doubles found = released(measurement, frame);
    for (std::size_t m = 0; m < 3; ++m) {
      // A half-width of 2, once for each power of x.
      const double unit = std::pow(2.0, static_cast<double>(m));
      squares[m] += std::pow((found[m] - (m ? 0 : 2)) / unit / scale, 2);
    }
  }
  for (const double sum : squares) EXPECT_NEAR(sum / kDraws, 1, 6 * std::sqrt(2.0 / kDraws));
}

TEST(JointMoments, GaussianNoiseIsRefusedWhereItCannotBe) {
  const auto refused = [](ErrorKind kind, double scale, std::uint64_t n) {
    expect_error(kind, [&] {
      make_gaussian_moments({column("x", 0, 1)}, GaussianJointPlan{Gaps::dropped, scale, n});
    });
  };
  refused(ErrorKind::make_measurement, 1, 1);
  refused(ErrorKind::make_measurement, 1, std::uint64_t{1} << 40);
  refused(ErrorKind::make_measurement, -1, 5);
  refused(ErrorKind::make_measurement, 1e300, 5);
  refused(ErrorKind::make_transformation, kInf, 5);
}

}  // namespace
}  // namespace dp::test::joint_moments_test
