// Objective perturbation that drops rows with a missing value.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/measurements/objective_perturbation.h"
#include "support/doubles.h"
#include "support/frames.h"

namespace dp::test::objective_perturbation_gaps_test {
namespace {

GlmPlan dropping(GlmFamily family, std::uint64_t n, double epsilon = 1e12) {
  return {family, true, n, 1, 0, Epsilon(epsilon), true};
}

Doubles released(const GlmPlan& plan,
                 const ColumnSpec& y,
                 const ColumnSpec& x,
                 const Value& frame) {
  return doubles_in(make_objective_perturbation({y, x}, plan).invoke(frame));
}

TEST(ObjectivePerturbationGaps, RowsWithoutAllValuesAreAsIfTheyWereNotThere) {
  const Doubles y = {0, kNaN, 0, 1, 0, 1, kNaN, 9, 1, 1};
  const Doubles x = {2, 6, 2, 2, 6, 6, kNaN, 60, kNaN, kNaN};
  for (const std::uint64_t n : {10u, 30u}) {
    const auto found = released(
        dropping(GlmFamily::logit, n), column("y", 0, 1), column("x", 2, 6), frame_of(x, y));
    ASSERT_EQ(found.size(), 2u);
    EXPECT_NEAR(found[0], 0, 1e-4);
    EXPECT_NEAR(found[1], std::log(2.0), 1e-4);
  }
}

TEST(ObjectivePerturbationGaps, NothingIsReleasedOfDataThatHaveNoValues) {
  const auto found = released(dropping(GlmFamily::poisson, 4),
                              column("y", 0, 9),
                              column("x", 2, 6),
                              frame_of(Doubles(4, kNaN), Doubles(4, kNaN)));
  EXPECT_NEAR(found[0], 0, 1e-4);
  EXPECT_NEAR(found[1], 0, 1e-4);
}

TEST(ObjectivePerturbationGaps, SquaresOfRowsWithAllValuesComeWithTheirNumber) {
  // In scaled units: x -1, 0, 1 and y -1, 1, 0: slope 1/2, residuals -1/2, 1, -1/2.
  const auto found = released(dropping(GlmFamily::ols, 5),
                              column("y", 0, 2),
                              column("x", 10, 20),
                              frame_of({10, kNaN, 15, 20, 12}, {0, 2, 2, 1, kNaN}));
  ASSERT_EQ(found.size(), 4u);
  EXPECT_NEAR(found[0], 0, 1e-4);
  EXPECT_NEAR(found[1], 0.5, 1e-4);
  EXPECT_NEAR(found[2], 1.5 - 3 * 2, 1e-4);
  EXPECT_NEAR(found[3], 3, 1e-4);
}

// Loss of step 3, over epsilon, for squares a and b of a row. A negative value means a gap. Sums of
// r^2 less `middle` have noise of scale 4, their count has scale 2.
double cost_of_squares(double a, double b, double middle) {
  const auto part = [&](double square) { return square < 0 ? 0 : square - middle; };
  return std::abs(part(a) - part(b)) / 4 + ((a < 0) != (b < 0) ? 0.5 : 0.0);
}

TEST(ObjectivePerturbationGaps, D_EPS_1_SquaresAndTheirNumberCostWhatSquaresDo) {
  double most = 0;
  double without_middle = 0;
  for (double a = -0.25; a <= 4; a += 0.25) {
    for (double b = -0.25; b <= 4; b += 0.25) {
      most = std::max(most, cost_of_squares(a, b, 2));
      without_middle = std::max(without_middle, cost_of_squares(a, b, 0));
    }
  }
  EXPECT_EQ(most, 1);
  EXPECT_EQ(without_middle, 1.5);
}

// Under a ridge this large, residuals are negligible. Bounds are six standard deviations of a mean,
// so they detect a scale that is off by a twelfth.
TEST(ObjectivePerturbationGaps, D_EPS_2_SquaresAndTheirNumberHaveNoiseOfTheirScales) {
  constexpr int kDraws = 6400;
  GlmPlan plan = dropping(GlmFamily::ols, 2, 8);
  plan.lambda = 256;
  const double scale = 4 / glm_budget(plan, 2).variance_epsilon;
  ASSERT_EQ(scale, 4);
  const auto measurement =
      make_objective_perturbation({column("y", -1, 1), column("x", -1, 1)}, plan);
  double sums = 0;
  double numbers = 0;
  for (int i = 0; i < kDraws; ++i) {
    const auto found = doubles_in(measurement.invoke(frame_of({0, 0}, {0, 0})));
    sums += std::abs(found[2] + 4);
    numbers += std::abs(found[3] - 2);
  }
  // Mean magnitude of Laplace noise: its scale. Mean magnitude of discrete noise of scale 2: 2 q /
  // (1 - q^2) with q = exp(-1 / 2). The standard deviations are similar.
  const double q = std::exp(-0.5);
  EXPECT_NEAR(sums / kDraws, scale, 6 * scale / 80);
  EXPECT_NEAR(numbers / kDraws, 2 * q / (1 - q * q), 6 * 2.0 / 80);
}

}  // namespace
}  // namespace dp::test::objective_perturbation_gaps_test
