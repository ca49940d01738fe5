// Joint moments of weighted rows.
#include <gtest/gtest.h>

#include <cmath>

#include "core/measurements/joint_moments.h"
#include "core/measurements/joint_residuals.h"
#include "core/measurements/row_weight.h"
#include "core/numeric/rational.h"
#include "measurements/joint_moments_support.h"
#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/weighted_frames.h"

namespace dp::test::joint_moments_weights_test {
namespace {

JointPlan weighted_plan(std::uint64_t n, double epsilon = 1, std::uint64_t count_weight = 1) {
  return {Gaps::dropped, true, count_weight, Epsilon(epsilon), n, true};
}

const std::vector<ColumnSpec> kColumns = {
    column("x", 0, 10), column("y", -4, 2), column("w", 0, 4)};

TEST(JointMomentsWeights, AreThoseOfRowsByTheSharesOfTheirWeights) {
  // About (5, -1): (-5, 1) with 1/2, (1, -1) with 1, two gaps, and a row of weight zero.
  const Value frame = weighted_frame({-3, 6, 8, kNaN, 9}, {0, -2, 1, 1, 1}, {2, 9, kNaN, 4, -3});
  const auto measurement = make_joint_moments(kColumns, weighted_plan(5, 1e15));
  const Doubles found = doubles_in(measurement.invoke(frame));
  const Doubles expected = {1.5, -1.5, -0.5, 13.5, -3.5, 1.5};
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-8) << i;
}

TEST(JointMomentsWeights, SumsOfManyRowsAreExact) {
  constexpr std::size_t kMany = 140000;  // more than one batch of additions
  const Value frame = weighted_frame(Doubles(kMany, 10), Doubles(kMany, -4), Doubles(kMany, 3));
  const auto measurement = make_joint_moments(kColumns, weighted_plan(kMany, 1e15));
  const Doubles found = doubles_in(measurement.invoke(frame));
  EXPECT_NEAR(found[0], 0.75 * kMany, 1e-8);
  EXPECT_NEAR(found[3], 0.75 * kMany * 25, 1e-8);
  EXPECT_NEAR(found[4], -0.75 * kMany * 15, 1e-8);
}

// (1, u) for u in `ends`^P with a rho in halves.
struct Row {
  std::vector<int> u;
  int rho;
};

std::vector<Row> all_rows(std::size_t columns, const std::vector<int>& shares) {
  std::vector<Row> rows;
  for (const std::vector<int>& place : all_places(1, columns, {-1, 0, 1})) {
    for (const int rho : shares) rows.push_back({place, rho});
  }
  return rows;
}

// Greatest loss of one replaced row at these noise scales.
Rational greatest_loss(std::size_t columns,
                       const JointPlan& plan,
                       const Scales& scales,
                       const std::vector<int>& shares = {0, 1, 2}) {
  const std::vector<JointMoment> moments = joint_moments(columns, plan);
  return greatest_over_pairs(all_rows(columns, shares),
                             moments.size(),
                             [&](const Row& here, const Row& there, std::size_t m) -> Rational {
                               const auto [i, j] = moments[m];
                               const int moved = here.rho * here.u[i] * here.u[j] -
                                                 there.rho * there.u[i] * there.u[j];
                               return Rational(std::abs(moved), 2) / scales[m];
                             });
}

TEST(JointMomentsWeights, D_SEN_1_NoReplacedRowWithItsWeightLosesMoreThanEpsilonAndSomeLoseIt) {
  for (const std::uint64_t count_weight : {1, 2}) {
    const JointPlan plan = weighted_plan(9, 0.75, count_weight);
    for (const std::size_t columns : {1, 2, 3}) {
      EXPECT_EQ(greatest_loss(columns, plan, scales_of(columns, plan)), Rational(3, 4))
          << count_weight << columns;
    }
  }
}

TEST(JointMomentsWeights, D_SEN_1_TheSameCheckRejectsWhatWouldLoseMore) {
  const JointPlan plan = weighted_plan(9);
  for (const std::size_t columns : {1, 2}) {
    const Scales right = scales_of(columns, plan);
    // Mutant: a weight that is not clamped.
    EXPECT_GT(greatest_loss(columns, plan, right, {0, 2, 3}), Rational(1));
    // Mutant: the sum of weights has almost no noise, as if it were the public row count.
    Scales told = right;
    told[0] = Rational(1, 1000);
    EXPECT_GT(greatest_loss(columns, plan, told), Rational(1));
    Scales squares = right;
    squares.back() /= 2;
    EXPECT_GT(greatest_loss(columns, plan, squares), Rational(1));
  }
}

TEST(JointMomentsWeights, LossIsEpsilonForEachRow) {
  const auto measurement = make_joint_moments(kColumns, weighted_plan(5, 0.75));
  EXPECT_EQ(number_in<double>(measurement.map(Scalar(std::uint32_t{0}))), 0);
  EXPECT_EQ(number_in<double>(measurement.map(Scalar(std::uint32_t{1}))), 0.75);
  EXPECT_EQ(number_in<double>(measurement.map(Scalar(std::uint32_t{3}))), 2.25);
}

TEST(JointMomentsWeights, D_EPS_2_NoiseHasTheSpreadOfItsScale) {
  constexpr int kDraws = 20000;
  // The middle, with half of the largest weight.
  const Value frame = weighted_frame({5, 5}, {-1, -1}, {2, 2});
  const auto measurement = make_joint_moments(kColumns, weighted_plan(2, 0.5));
  const Scales scales = scales_of(2, weighted_plan(2, 0.5));
  const Doubles units = {1, 5, 3, 25, 15, 9};
  Doubles totals(units.size(), 0.0);
  for (int i = 0; i < kDraws; ++i) {
    const Doubles found = doubles_in(measurement.invoke(frame));
    for (std::size_t m = 0; m < found.size(); ++m) totals[m] += std::fabs(found[m] - (m ? 0 : 1));
  }
  for (std::size_t m = 0; m < units.size(); ++m) {
    const double scale = to_double_nearest(scales[m]) * units[m];
    EXPECT_NEAR(totals[m] / kDraws, scale, 6 * scale / std::sqrt(double{kDraws})) << m;
  }
}

TEST(JointMomentsWeights, RefuseWhatTheyMust) {
  const auto refused = [](const std::vector<ColumnSpec>& columns, const JointPlan& plan) {
    expect_error(ErrorKind::make_measurement, [&] { make_joint_moments(columns, plan); });
  };
  refused({kColumns[0], kColumns[1], column("w", -1, 4)}, weighted_plan(5));
  JointPlan bad = weighted_plan(5);
  bad.gaps = Gaps::imputed;
  refused(kColumns, bad);
  bad = weighted_plan(5);
  bad.products = false;
  refused(kColumns, bad);
}

// Given coefficients of y on x, which do not depend on the release.
ResidualPlan residual_plan(const Doubles& theta, double cap, double epsilon) {
  return {weighted_plan(4, epsilon), true, 0.2, [theta, cap](const Doubles&, Epsilon) {
            return ResidualFit{theta, cap};
          }};
}

TEST(JointMomentsWeights, ResidualsCountByTheSquareOfTheirShare) {
  const std::vector<ColumnSpec> columns = {
      column("y", 0, 2), column("x", 10, 20), column("w", 0, 4)};
  // In scaled units (x, y) = (-1, -1), (0, 1), (1, 0), with shares of 1, 1/2 and 1/4, and a gap.
  const Value frame = weighted_frame({10, 15, 20, 12}, {0, 2, 1, 1}, {4, 2, 1, kNaN});
  const auto measurement = make_joint_residuals(columns, residual_plan({0, 0.5}, 4, 1e12));
  const Doubles found = doubles_in(measurement.invoke(frame));
  ASSERT_EQ(found.size(), 6u + 1 + 3);
  EXPECT_NEAR(found[0], 1.75, 1e-6);
  // Residuals -1/2, 1, -1/2, over a cap of 4: 1/16, 1/16, 1/256.
  EXPECT_NEAR(found[7], 33.0 / 256, 1e-6);
  EXPECT_NEAR(found[8], -15.0 / 256, 1e-6);
  EXPECT_NEAR(found[9], 17.0 / 256, 1e-6);
  expect_error(ErrorKind::make_measurement, [&] {
    make_joint_residuals({columns[0], columns[2]}, [] {
      ResidualPlan plan = residual_plan({}, 1, 1);
      plan.intercept = false;
      return plan;
    }());
  });
}

}  // namespace
}  // namespace dp::test::joint_moments_weights_test
