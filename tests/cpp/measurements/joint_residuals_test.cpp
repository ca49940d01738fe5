#include "core/measurements/joint_residuals.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/measurements/weighted_squares.h"
#include "core/numeric/rational.h"
#include "measurements/joint_moments_support.h"
#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/frames.h"

namespace dp::test::joint_residuals_test {
namespace {

// Given coefficients, which do not depend on the release.
ResidualPlan plan_of(std::uint64_t n,
                     const Doubles& theta,
                     double cap,
                     bool intercept = true,
                     double epsilon = 1e12) {
  const JointPlan moments{Gaps::dropped, true, 1, Epsilon(epsilon), n};
  return {moments, intercept, 0.2, [theta, cap](const Doubles&, Epsilon) {
            return ResidualFit{theta, cap};
          }};
}

const std::vector<ColumnSpec> kColumns = {column("y", 0, 2), column("x", 10, 20)};

// In scaled units: (x, y) = (-1, -1), (0, 1), (1, 0), and a gap.
const Value kFrame = frame_of({10, 15, 20, 12}, {0, 2, 1, kNaN});

TEST(JointResiduals, AreMomentsTheCapAndWeightedSquares) {
  const auto measurement = make_joint_residuals(kColumns, plan_of(4, {0, 0.5}, 4));
  const Doubles found = doubles_in(measurement.invoke(kFrame));
  ASSERT_EQ(found.size(), 6u + 1 + 3);
  EXPECT_NEAR(found[0], 3, 1e-8);
  EXPECT_NEAR(found[5], 50, 1e-8);  // the squares of x
  EXPECT_EQ(found[6], 4);
  // Residuals -1/2, 1, -1/2: weights 1/16, 1/4, 1/16.
  EXPECT_NEAR(found[7], 0.375, 1e-6);
  EXPECT_NEAR(found[8], 0, 1e-6);
  EXPECT_NEAR(found[9], 0.125, 1e-6);
}

TEST(JointResiduals, LargeResidualsHaveTheWeightOne) {
  const auto measurement = make_joint_residuals(kColumns, plan_of(4, {0, 0.5}, 0.25));
  const Doubles found = doubles_in(measurement.invoke(kFrame));
  EXPECT_NEAR(found[7], 3, 1e-6);
  EXPECT_NEAR(found[9], 2, 1e-6);
}

TEST(JointResiduals, WithoutInterceptColumnsAreOverTheirLargestMagnitudes) {
  // x / 20 = 1/2, 3/4, 1 and y / 2 = 0, 1, 1/2.
  const auto measurement = make_joint_residuals(kColumns, plan_of(4, {1}, 1, false));
  const Doubles found = doubles_in(measurement.invoke(kFrame));
  ASSERT_EQ(found.size(), 6u + 1 + 1);
  EXPECT_NEAR(found[7], 0.25 * 0.25 + 0.0625 * 0.5625 + 0.25, 1e-6);
}

TEST(JointResiduals, AFitThatFoundNothingGivesNoWeights) {
  const auto sums_at = [](const Doubles& theta, double cap) {
    const auto measurement = make_joint_residuals(kColumns, plan_of(4, theta, cap));
    const Doubles found = doubles_in(measurement.invoke(kFrame));
    return std::fabs(found[7]) + std::fabs(found[9]);
  };
  EXPECT_NEAR(sums_at({0}, 1), 0, 1e-6);
  EXPECT_NEAR(sums_at({0, 0.5}, kNaN), 0, 1e-6);
  EXPECT_NEAR(sums_at({0, 0.5}, kInf), 0, 1e-6);
  EXPECT_NEAR(sums_at({kNaN, 0.5}, 1), 0, 1e-6);
  // No residual is below a cap of 0.
  EXPECT_NEAR(sums_at({0, 0.5}, 0), 5, 1e-6);
}

TEST(JointResiduals, TheFitSeesWhatWasReleasedAndNothingElse) {
  Doubles seen;
  double loss = 0;
  ResidualPlan plan = plan_of(4, {}, 1, true, 1);
  plan.fit = [&](const Doubles& moments, Epsilon epsilon) {
    seen = moments;
    loss = epsilon.value();
    return ResidualFit{{0, 0}, 1};
  };
  const Doubles found = doubles_in(make_joint_residuals(kColumns, plan).invoke(kFrame));
  EXPECT_EQ(seen, Doubles(found.begin(), found.begin() + 6));
  EXPECT_NEAR(loss, 0.8, 1e-12);
}

TEST(JointResiduals, D_EPS_1_SharesAddUpToEpsilonAndSoDoesTheMap) {
  for (const double epsilon : {1e-3, 0.1, 0.3, 1.0, 7.0}) {
    for (const double share : {0.01, 0.2, 0.5, 0.7, 0.99}) {
      ResidualPlan plan = plan_of(4, {0, 0}, 1, true, epsilon);
      plan.share = share;
      const ResidualShares shares = residual_shares(plan);
      const Rational sum =
          exact_rational(shares.moments.value()) + exact_rational(shares.squares.value());
      EXPECT_LE(sum, exact_rational(epsilon));
      EXPECT_GE(to_double_nearest(sum), epsilon * (1 - 1e-15));
      EXPECT_NEAR(shares.squares.value(), share * epsilon, 1e-15 * epsilon);
      const auto measurement = make_joint_residuals(kColumns, plan);
      EXPECT_EQ(number_in<double>(measurement.map(Scalar(std::uint32_t{1}))), epsilon);
      EXPECT_EQ(number_in<double>(measurement.map(Scalar(std::uint32_t{2}))), 2 * epsilon);
    }
  }
}

TEST(JointResiduals, NoiseOfMomentsAndOfSquaresIsThatOfTheirShares) {
  constexpr int kDraws = 4000;
  const auto measurement = make_joint_residuals(kColumns, plan_of(4, {0, 0.5}, kNaN, true, 1));
  double rows = 0;
  double squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const Doubles found = doubles_in(measurement.invoke(kFrame));
    rows += std::fabs(found[0] - 3);
    squares += std::fabs(found[8]);
  }
  // Two predictors and a fifth of epsilon: 4 / (2 / 5).
  EXPECT_NEAR(squares / kDraws, 10, 6 * 10 / std::sqrt(double{kDraws}));
  // Discrete noise of scale s has mean magnitude 1 / sinh(1 / s) and a similar standard deviation.
  const Scales scales = scales_of(2, {Gaps::dropped, true, 1, Epsilon(0.8), 4});
  const double s = to_double_nearest(scales[0]);
  EXPECT_NEAR(rows / kDraws, 1 / std::sinh(1 / s), 6 * s / std::sqrt(double{kDraws}));
}

TEST(JointResiduals, RefusesWhatItMust) {
  const auto refused = [](const std::vector<ColumnSpec>& columns, const ResidualPlan& plan) {
    expect_error(ErrorKind::make_measurement, [&] { make_joint_residuals(columns, plan); });
  };
  const ResidualPlan good = plan_of(4, {0, 0}, 1, true, 1);
  make_joint_residuals(kColumns, good);
  for (const double share : {0.0, 1.0, -0.1, kNaN}) {
    ResidualPlan bad = good;
    bad.share = share;
    refused(kColumns, bad);
  }
  for (const double epsilon : {0.0, kInf}) refused(kColumns, plan_of(4, {0, 0}, 1, true, epsilon));
  refused(kColumns, plan_of(1, {0, 0}, 1, true, 1));
  refused({kColumns[0], column("x", 1, 1)}, good);
  refused({kColumns[0]}, plan_of(4, {}, 1, false, 1));
}

}  // namespace
}  // namespace dp::test::joint_residuals_test
