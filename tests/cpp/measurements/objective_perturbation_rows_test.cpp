// Objective perturbation of tables with a private number of rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/measurements/glm_objective.h"
#include "core/measurements/objective_perturbation.h"
#include "core/random/bit_source.h"
#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/frames.h"

namespace dp::test::objective_perturbation_rows_test {
namespace {

constexpr double kMostRows = 0x1p31;

GlmPlan of_rows(GlmFamily family, double epsilon) {
  GlmPlan plan{family, true, 0, 1, 0, Epsilon(epsilon), true};
  plan.any_rows = true;
  return plan;
}

const GlmFamily kFamilies[] = {GlmFamily::logit, GlmFamily::poisson, GlmFamily::ols};

// The loss of one added or removed row, if it moves the gradient by `slopes` bounds of the slope.
double spent(const GlmPlan& plan, std::size_t d, double slopes) {
  const GlmBudget budget = glm_budget(plan, d);
  const GlmLoss& loss = glm_loss(plan.family);
  return slopes * loss.slope_bound * budget.noise_rate +
         std::log1p(loss.curvature_bound * static_cast<double>(d) / budget.ridge) +
         plan.epsilon.value() / 1024 + budget.variance_epsilon;
}

TEST(ObjectivePerturbationRows, D_EPS_1_PartsOfTheLossAddUpToEpsilon) {
  for (const GlmFamily family : kFamilies) {
    for (const double epsilon : {0.01, 0.5, 4.0, 50.0}) {
      for (const std::size_t d : {2u, 9u, 30u}) {
        const GlmPlan plan = of_rows(family, epsilon);
        EXPECT_LE(spent(plan, d, 1), epsilon * (1 + 1e-12));
        EXPECT_GT(spent(plan, d, 1), epsilon * (1 - 1e-9));
        // A noise that is calibrated for half of the slope is noticed.
        EXPECT_GT(spent(plan, d, 2), epsilon);
      }
    }
  }
}

TEST(ObjectivePerturbationRows, D_EPS_1_OneRowMovesGradientsByTheSlopeBound) {
  for (const GlmFamily family : kFamilies) {
    const GlmLoss& loss = glm_loss(family);
    double most = 0;
    for (double t = -40; t <= 40; t += 0.25) {
      for (const double y : {-1.0, -0.5, 0.0, 0.25, 1.0}) {
        if (family != GlmFamily::ols && y < 0) continue;
        most = std::max(most, std::abs(loss.slope(t, y)));
        EXPECT_LE(loss.curvature(t, y), loss.curvature_bound);
      }
    }
    EXPECT_LE(most, loss.slope_bound);
    EXPECT_GT(most, 0.99 * loss.slope_bound);
  }
}

TEST(ObjectivePerturbationRows, D_EPS_1_NoiseCoversTheDistanceOfMinimaOfTheLargestTables) {
  for (const GlmFamily family : kFamilies) {
    for (const std::size_t d : {2u, 9u}) {
      const double epsilon = 0.5;
      const GlmBudget budget = glm_budget(of_rows(family, epsilon), d);
      const GlmLoss& loss = glm_loss(family);
      const double root = std::sqrt(static_cast<double>(d));
      const auto rows = static_cast<std::size_t>(kMostRows);
      const double steepest =
          budget.ridge + loss.curvature_bound * static_cast<double>(d) * kMostRows;
      EXPECT_GE(budget.gap * (1 + 1e-12),
                4 * root * (gradient_error(loss, rows) + std::ldexp(steepest, -60)));
      const double apart = 2 * root * budget.gap / budget.ridge;
      EXPECT_GE(budget.release_scale * (1 + 1e-9), std::ldexp(apart, 60) / (epsilon / 1024));
      // It is small beside the noise of the gradient.
      EXPECT_LT(std::ldexp(budget.release_scale, -60),
                0.2 * static_cast<double>(d + 1) / (budget.noise_rate * budget.ridge));
    }
  }
}

std::vector<double> logit_table(Doubles& x, Doubles& y, double epsilon) {
  GlmPlan plan = of_rows(GlmFamily::logit, epsilon);
  return release_of_rows({column("y", 0, 1), column("x", 2, 6)}, plan, {y, x}, secure_bits());
}

// x is 2 or 6, scaled to -1 and 1. Responses are 1 in a third and in two thirds of the rows, so the
// coefficients are 0 and log 2.
TEST(ObjectivePerturbationRows, ConvergeToTheModelOfRowsWithoutGaps) {
  Doubles x;
  Doubles y;
  for (int i = 0; i < 6000; ++i) {
    const bool high = i % 2 == 0;
    x.push_back(high ? 6 : 2);
    y.push_back(i % 3 == 0 ? (high ? 0 : 1) : (high ? 1 : 0));
    if (i % 6 == 0) {
      x.push_back(kNaN);
      y.push_back(1);
      x.push_back(9);
      y.push_back(kNaN);
    }
  }
  const std::vector<double> found = logit_table(x, y, 1e9);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NEAR(found[0], 0, 1e-4);
  EXPECT_NEAR(found[1], std::log(2.0), 1e-4);
}

// Of a table without rows, the coefficients are the noise over the ridge. The largest magnitude of
// d elements has a Gamma law of shape d. The chance to miss 6.5 standard deviations is below 1e-10.
TEST(ObjectivePerturbationRows, D_EPS_2_NoiseHasTheLawOfItsRate) {
  constexpr int kDraws = 4000;
  const double epsilon = 1;
  const GlmBudget budget = glm_budget(of_rows(GlmFamily::logit, epsilon), 2);
  double sum = 0;
  for (int i = 0; i < kDraws; ++i) {
    Doubles none;
    const std::vector<double> found = logit_table(none, none, epsilon);
    sum += std::max(std::abs(found[0]), std::abs(found[1])) * budget.ridge;
  }
  const double mean = 2 / budget.noise_rate;
  const double deviation = std::sqrt(2.0) / budget.noise_rate;
  // The noise that covers the computation adds a little.
  const double more = 2 * std::ldexp(budget.release_scale, -60) * budget.ridge;
  EXPECT_GT(sum / kDraws, mean - 6.5 * deviation / std::sqrt(kDraws));
  EXPECT_LT(sum / kDraws, mean + 6.5 * deviation / std::sqrt(kDraws) + more);
}

TEST(ObjectivePerturbationRows, RefuseWhatTheyMust) {
  const auto refuse = [](auto&& change) {
    GlmPlan plan = of_rows(GlmFamily::logit, 1);
    change(plan);
    expect_error(ErrorKind::make_measurement, [&] {
      check_row_model({column("y", 0, 1), column("x", 2, 6)}, plan);
    });
  };
  refuse([](GlmPlan& plan) { plan.lambda = 1; });
  refuse([](GlmPlan& plan) { plan.parts = 2; });
  refuse([](GlmPlan& plan) { plan.drops = false; });
  refuse([](GlmPlan& plan) { plan.epsilon = Epsilon(1e-12); });
}

}  // namespace
}  // namespace dp::test::objective_perturbation_rows_test
