#include "core/postprocessing/joint_fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/frames.h"

namespace dp::test::joint_fit_test {
namespace {

const std::vector<ColumnSpec> kColumns = {column("y", 0, 2), column("x", 10, 20)};

JointPlan plan_of(Gaps gaps, double epsilon) { return {gaps, true, 1, Epsilon(epsilon), 4}; }

ResidualFit fit_of(const Value& frame, Gaps gaps, bool intercept) {
  const JointPlan plan = plan_of(gaps, 1e12);
  const Doubles moments = doubles_in(make_joint_moments(kColumns, plan).invoke(frame));
  return joint_fit(kColumns, plan, intercept, moments);
}

TEST(JointFit, IsThatOfScaledRows) {
  // In scaled units (-1, -1), (0, 1), (1, 0), and a gap: slope 1/2, residuals -1/2, 1, -1/2.
  const ResidualFit fit = fit_of(frame_of({10, 15, 20, kNaN}, {0, 2, 1, 0}), Gaps::dropped, true);
  ASSERT_EQ(fit.theta.size(), 2u);
  EXPECT_NEAR(fit.theta[0], 0, 1e-6);
  EXPECT_NEAR(fit.theta[1], 0.5, 1e-6);
  EXPECT_NEAR(fit.cap, 64 * 1.5 / 1, 1e-4);
}

TEST(JointFit, WithoutInterceptIsThatOfColumnsOverTheirLargestMagnitudes) {
  // (x / 20, y / 2) is (1/2, 1/2) twice, (1, 3/4) and (1, 1).
  const ResidualFit fit = fit_of(frame_of({10, 10, 20, 20}, {1, 1, 1.5, 2}), Gaps::imputed, false);
  ASSERT_EQ(fit.theta.size(), 1u);
  // Sums of z y and of z^2: 0.5 * 0.5 * 2 + 0.75 + 1 = 2.25, and 2.5.
  EXPECT_NEAR(fit.theta[0], 0.9, 1e-6);
  // Residuals 0.05, 0.05, -0.15, 0.1.
  EXPECT_NEAR(fit.cap, 64 * (0.0025 + 0.0025 + 0.0225 + 0.01) / 3, 1e-4);
}

TEST(JointFit, AllowsForTheNoiseOfTheVariance) {
  const JointPlan quiet = plan_of(Gaps::imputed, 1e12);
  const JointPlan noisy = plan_of(Gaps::imputed, 5);
  const Value frame = frame_of({10, 15, 20, 15}, {0, 2, 1, 1});
  const Doubles moments = doubles_in(make_joint_moments(kColumns, quiet).invoke(frame));
  EXPECT_GT(joint_fit(kColumns, noisy, true, moments).cap,
            1.1 * joint_fit(kColumns, quiet, true, moments).cap);
}

TEST(JointFit, TakesAnyReleaseOfItsLength) {
  const JointPlan plan = plan_of(Gaps::dropped, 1);
  for (const double moment : {0.0, -1e300, 1e300}) {
    EXPECT_EQ(joint_fit(kColumns, plan, true, Doubles(6, moment)).theta.size(), 2u);
  }
  expect_error(ErrorKind::failed_function,
               [&] { joint_fit(kColumns, plan, true, Doubles(5, 1.0)); });
}

}  // namespace
}  // namespace dp::test::joint_fit_test
