// Objective perturbation with weighted rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/measurements/objective_perturbation.h"
#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/weighted_frames.h"

namespace dp::test::objective_perturbation_weights_test {
namespace {

GlmPlan weighting(GlmFamily family, std::uint64_t n, double epsilon = 1e12) {
  GlmPlan plan{family, true, n, 1, 0, Epsilon(epsilon), true};
  plan.has_weights = true;
  return plan;
}

Doubles released(const GlmPlan& plan, const std::vector<ColumnSpec>& columns, const Value& frame) {
  return doubles_in(make_objective_perturbation(columns, plan).invoke(frame));
}

TEST(ObjectivePerturbationWeights, ARowCountsByTheShareOfItsWeight) {
  // At one end of x, rows with value 1 have a third of the weight; at the other end, two thirds.
  const Doubles y = {0, 1, 0, 1, 0, 1, kNaN};
  const Doubles x = {2, 2, 6, 6, 2, 6, 6};
  const Doubles w = {2, 1, 1, 9, kNaN, -1, 2};
  const std::vector<ColumnSpec> columns = {column("y", 0, 1), column("x", 2, 6), column("w", 0, 2)};
  const auto found = released(weighting(GlmFamily::logit, 7), columns, weighted_frame(x, y, w));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NEAR(found[0], 0, 1e-4);
  EXPECT_NEAR(found[1], std::log(2.0), 1e-4);
}

TEST(ObjectivePerturbationWeights, SumsOfSquaresAreWeightedAndComeWithThatOfTheShares) {
  // In scaled units: x -1, 0, 1 and y -1, 1, 0, with shares of 1/2: slope 1/2, residuals -1/2, 1,
  // -1/2. The weights of slopes are squares of r / 4.
  GlmPlan plan = weighting(GlmFamily::ols, 4);
  plan.inference = {0.2, true};
  const auto found = released(plan,
                              {column("y", 0, 2), column("x", 10, 20), column("w", 0, 4)},
                              weighted_frame({10, 15, 20, 12}, {0, 2, 1, 1}, {2, 2, 2, kNaN}));
  ASSERT_EQ(found.size(), 10u);
  EXPECT_NEAR(found[0], 0, 1e-4);
  EXPECT_NEAR(found[1], 0.5, 1e-4);
  EXPECT_NEAR(found[2], 0.75 - 1.5 * 2, 1e-4);
  EXPECT_NEAR(found[3], 1.5, 1e-4);
  EXPECT_NEAR(found[4], 1.5, 1e-4);
  EXPECT_NEAR(found[5], 0, 1e-4);
  EXPECT_NEAR(found[6], 1, 1e-4);
  EXPECT_NEAR(found[7], 1.5 / 16, 1e-4);
  EXPECT_NEAR(found[8], 0, 1e-4);
  EXPECT_NEAR(found[9], 0.5 / 16, 1e-4);
}

TEST(ObjectivePerturbationWeights, AnOffsetStandsBeforeThem) {
  GlmPlan plan = weighting(GlmFamily::logit, 3);
  plan.has_offset = true;
  const auto found = released(plan,
                              {column("y", 0, 1), column("x", -2, 2), column("w", 0, 2)},
                              weighted_frame({0.5, 0.5, 0.5}, {0, 1, 0}, {1, 2, 0}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0], std::log(2.0) - 0.5, 1e-4);
}

TEST(ObjectivePerturbationWeights, D_EPS_1_WeightsChangeNothingOfTheBudget) {
  GlmPlan plan = weighting(GlmFamily::ols, 100, 0.7);
  const GlmBudget with = glm_budget(plan, 2);
  plan.has_weights = false;
  const GlmBudget without = glm_budget(plan, 2);
  EXPECT_EQ(with.noise_rate, without.noise_rate);
  EXPECT_EQ(with.ridge, without.ridge);
  EXPECT_EQ(with.release_scale, without.release_scale);
  EXPECT_EQ(with.variance_epsilon, without.variance_epsilon);
}

// How far replacing a row by one of this weight can move an element of the gradient, over the bound
// of slopes. Rows have predictors 1 and -1.
double moved_gradient(double most) {
  double moved = 0;
  for (double rho = 0; rho <= most; rho += 0.25) {
    for (double other = 0; other <= most; other += 0.25) moved = std::max(moved, rho + other);
  }
  return moved;
}

// Loss of step 3, over epsilon. Sums of rho (r^2 - 2) have noise of scale 4. Sums of rho have scale
// 2, or no noise if `told`.
double cost_of_squares(double most, bool told) {
  double cost = 0;
  for (double rho = 0; rho <= most; rho += 0.25) {
    for (double other = 0; other <= most; other += 0.25) {
      for (double a = 0; a <= 4; a += 0.5) {
        for (double b = 0; b <= 4; b += 0.5) {
          const double sums = std::abs(rho * (a - 2) - other * (b - 2)) / 4;
          cost = std::max(cost, sums + std::abs(rho - other) * (told ? 1000 : 0.5));
        }
      }
    }
  }
  return cost;
}

TEST(ObjectivePerturbationWeights, D_EPS_1_RowsWithTheirWeightsCostWhatRowsDo) {
  EXPECT_EQ(moved_gradient(1), 2);
  EXPECT_EQ(cost_of_squares(1, false), 1);
  // Mutants: a weight that is not clamped, and a sum of shares without noise, like the row count.
  EXPECT_GT(moved_gradient(1.5), 2);
  EXPECT_GT(cost_of_squares(1.5, false), 1);
  EXPECT_GT(cost_of_squares(1, true), 1);
}

// Under a ridge this large, residuals are negligible. Bounds are six standard deviations of a mean,
// so they detect a scale that is off by a twelfth.
TEST(ObjectivePerturbationWeights, D_EPS_2_SumsHaveNoiseOfTheirScales) {
  constexpr int kDraws = 6400;
  GlmPlan plan = weighting(GlmFamily::ols, 2, 8);
  plan.lambda = 256;
  ASSERT_EQ(glm_budget(plan, 2).variance_epsilon, 1);
  const auto measurement = make_objective_perturbation(
      {column("y", -1, 1), column("x", -1, 1), column("w", 0, 4)}, plan);
  double sums = 0;
  double shares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const auto found = doubles_in(measurement.invoke(weighted_frame({0, 0}, {0, 0}, {1, 1})));
    sums += std::abs(found[2] + 1);
    shares += std::abs(found[3] - 0.5);
  }
  EXPECT_NEAR(sums / kDraws, 4, 6 * 4.0 / 80);
  EXPECT_NEAR(shares / kDraws, 2, 6 * 2.0 / 80);
}

TEST(ObjectivePerturbationWeights, RefusesWhatItMust) {
  const auto refused = [](const std::vector<ColumnSpec>& columns, const GlmPlan& plan) {
    expect_error(ErrorKind::make_measurement, [&] { make_objective_perturbation(columns, plan); });
  };
  const std::vector<ColumnSpec> columns = {column("y", 0, 1), column("x", 0, 1), column("w", 0, 2)};
  GlmPlan plan = weighting(GlmFamily::logit, 5, 1);
  make_objective_perturbation(columns, plan);
  refused({columns[0], columns[1], column("w", -0.5, 2)}, plan);
  refused({columns[0]}, plan);
  plan.drops = false;
  refused(columns, plan);
}

}  // namespace
}  // namespace dp::test::objective_perturbation_weights_test
