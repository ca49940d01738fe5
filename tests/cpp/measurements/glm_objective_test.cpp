#include "core/measurements/glm_objective.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/numeric/rational.h"

namespace dp::test::glm_objective_test {
namespace {

// Gradient of J in exact arithmetic, except for the slopes, which a separate test covers.
double exact_norm(const GlmRows& rows,
                  const GlmObjective& objective,
                  const std::vector<int128_t>& theta) {
  double squares = 0;
  for (std::size_t j = 0; j < rows.predictors; ++j) {
    Rational element =
        Rational(to_integer(objective.noise[j])) * power_of_two(-80) +
        exact_rational(objective.ridge) * Rational(to_integer(theta[j])) * power_of_two(-60);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Rational t = exact_rational(objective.offset);
      for (std::size_t k = 0; k < rows.predictors; ++k) {
        t += Rational(to_integer(theta[k])) * rows.z[i * rows.predictors + k] * power_of_two(-90);
      }
      element += exact_rational(objective.loss->slope(to_double_nearest(t), rows.y[i])) *
                 exact_rational(row_weight(rows, i)) * rows.z[i * rows.predictors + j] *
                 power_of_two(-30);
    }
    squares += std::pow(to_double_nearest(element), 2);
  }
  return std::sqrt(squares);
}

class Problems {
 public:
  // `hard`: separable responses, predictors that are nearly equal, noise far larger than the rows'
  // weight.
  GlmRows rows(std::size_t size, std::size_t predictors, bool hard) {
    GlmRows made{predictors, {}, {}};
    for (std::size_t i = 0; i < size; ++i) {
      const double x = 2 * uniform() - 1;
      made.z.push_back(std::int32_t{1} << kPredictorBits);
      for (std::size_t j = 1; j < predictors; ++j) {
        const double z = hard ? x + 1e-6 * uniform() : 2 * uniform() - 1;
        made.z.push_back(static_cast<std::int32_t>(std::ldexp(std::min(z, 1.0), kPredictorBits)));
      }
      made.y.push_back(hard ? (x > 0 ? 1.0 : 0.0) : uniform());
    }
    return made;
  }

  std::vector<int128_t> noise(std::size_t predictors, double size) {
    std::vector<int128_t> made;
    for (std::size_t j = 0; j < predictors; ++j) {
      made.push_back(static_cast<int128_t>(std::ldexp(size * (2 * uniform() - 1), 80)));
    }
    return made;
  }

 private:
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  std::mt19937_64 engine_{20260101};
};

TEST(GlmObjective, MinimaAreCertifiedAlsoOfHardProblems) {
  Problems problems;
  for (const GlmFamily family :
       {GlmFamily::logit, GlmFamily::probit, GlmFamily::poisson, GlmFamily::ols}) {
    const GlmLoss& loss = glm_loss(family);
    for (const bool hard : {false, true}) {
      for (const double size : {0.0, 1.0, 300.0}) {
        const GlmRows rows = problems.rows(15, 3, hard);
        const double gap = 4 * std::sqrt(3.0) * (gradient_error(loss, 15) + 200 * 0x1p-60);
        const GlmObjective objective{&loss,
                                     family == GlmFamily::poisson ? -1.5 : 0.0,
                                     hard ? 0x1p-9 : 0.25,
                                     problems.noise(3, size),
                                     gap,
                                     int128_t{1} << 86};
        const auto [theta, passes] = certified_minimum(rows, objective);
        EXPECT_LE(exact_norm(rows, objective, theta), gap) << static_cast<int>(family) << size;
        // The certificate is specific: a nearby point fails it.
        auto other = theta;
        other[0] += int128_t{1} << 45;
        EXPECT_GT(exact_norm(rows, objective, other), gap);
        // Ordinary data need few extra passes. Hard data stay within a limit.
        EXPECT_LE(passes, hard ? 129u : 20u);
      }
    }
  }
}

TEST(GlmObjective, MinimaOfWeightedRowsAreCertifiedToo) {
  Problems problems;
  for (const GlmFamily family :
       {GlmFamily::logit, GlmFamily::probit, GlmFamily::poisson, GlmFamily::ols}) {
    const GlmLoss& loss = glm_loss(family);
    GlmRows rows = problems.rows(15, 3, false);
    for (std::int32_t i = 0; i < 15; ++i) rows.weights.push_back(i * 74898);  // to almost 2^20
    const double gap = 4 * std::sqrt(3.0) * (gradient_error(loss, 15) + 200 * 0x1p-60);
    const GlmObjective objective{&loss, 0.0, 0.25, problems.noise(3, 1), gap, int128_t{1} << 86};
    const auto [theta, passes] = certified_minimum(rows, objective);
    EXPECT_LE(exact_norm(rows, objective, theta), gap) << static_cast<int>(family);
    EXPECT_LE(passes, 20u);
    // The minimum differs without the rows' weights.
    rows.weights.clear();
    EXPECT_GT(exact_norm(rows, objective, theta), gap);
  }
}

TEST(GlmObjective, StepsAlongTheGradientComeToAnEndAsSoonAsPromised) {
  Problems problems;
  for (const GlmFamily family :
       {GlmFamily::logit, GlmFamily::probit, GlmFamily::poisson, GlmFamily::ols}) {
    const GlmLoss& loss = glm_loss(family);
    for (const bool hard : {false, true}) {
      const GlmRows rows = problems.rows(15, 3, hard);
      const double gap = 4 * std::sqrt(3.0) * (gradient_error(loss, 15) + 50 * 0x1p-60);
      GlmObjective objective{
          &loss, 0, 2, problems.noise(3, 30), gap, int128_t{1} << 86, /*newton_passes=*/0};
      const double start = std::sqrt(3.0) * (15 * loss.slope_bound + 30);
      const auto [theta, passes] = certified_minimum(rows, objective);
      EXPECT_LE(exact_norm(rows, objective, theta), gap);
      EXPECT_LE(static_cast<double>(passes),
                2 + most_gradient_passes(loss, 15, 3, objective.ridge, start, gap));
      // Both methods reach the same minimum.
      objective.newton_passes = 64;
      const auto newton = certified_minimum(rows, objective);
      EXPECT_LT(newton.passes, passes);
      for (std::size_t j = 0; j < 3; ++j) {
        const double apart = static_cast<double>(newton.theta[j] - theta[j]);
        EXPECT_LE(std::fabs(std::ldexp(apart, -kCoefficientBits)), 2 * gap / objective.ridge);
      }
    }
  }
}

TEST(GlmObjective, LeastSquaresAreThoseOfTheNormalEquations) {
  const std::int32_t one = std::int32_t{1} << kPredictorBits;
  const GlmRows rows{2, {one, -one, one, 0, one, one, one, one / 2}, {-0.5, 0, 0.25, 0.75}};
  const GlmObjective objective{
      &glm_loss(GlmFamily::ols), 0, 0x1p-20, {0, 0}, 1e-9, int128_t{1} << 80};
  const auto theta = certified_minimum(rows, objective).theta;
  // Sums: n 4, x 1/2, xx 9/4, y 1/2, xy 9/8.
  EXPECT_NEAR(
      std::ldexp(static_cast<double>(theta[0]), -60), (0.5 * 2.25 - 0.5 * 1.125) / 8.75, 1e-5);
  EXPECT_NEAR(std::ldexp(static_cast<double>(theta[1]), -60), (4 * 1.125 - 0.25) / 8.75, 1e-5);
}

TEST(GlmObjective, PredictorsAreRoundedOnce) {
  const std::int32_t z[] = {std::int32_t{1} << kPredictorBits, -(std::int32_t{1} << 29)};
  const std::vector<int128_t> theta = {int128_t{3} << 60, int128_t{5} << 60};
  EXPECT_EQ(linear_predictor(z, theta, -1.25), 3 - 2.5 - 1.25);
}

}  // namespace
}  // namespace dp::test::glm_objective_test
