#include "core/postprocessing/least_squares.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.h"

namespace dp::least_squares_test {
namespace {

using Cells = std::vector<double>;

// Rows of (1, x, y) with y = 1 + 2 x. Residuals sum to 0, also when multiplied by x.
struct Row {
  double x, y;
};
const std::vector<Row> kRows{{0, 1.5}, {1, 2.5}, {2, 4.5}, {3, 7.5}};

NoisyMoments moments_of(const std::vector<Row>& rows, double noise = 0) {
  Cells cells(9);
  for (const Row& row : rows) {
    const double z[] = {1, row.x, row.y};
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) cells[3 * k + j] += z[j] * z[k];
    }
  }
  return {3, cells, Cells(9, noise)};
}

LinearModel line(double floor = 1e-9, double ridge = 0) {
  return {2, {1, 0, 0, 1, 0, 0}, {0, 0, 1}, {0, ridge}, floor, 2};
}

TEST(LeastSquares, WithoutNoiseSolvesTheNormalEquations) {
  // By hand: sums of x 6, of its squares 14, of y 16, of x y 34.
  const LeastSquares fit = least_squares(moments_of(kRows), line());
  EXPECT_NEAR(fit.coefficients[0], 1, 1e-12);
  EXPECT_NEAR(fit.coefficients[1], 2, 1e-12);
  EXPECT_FALSE(fit.repaired);
  // Residuals of half each.
  EXPECT_NEAR(fit.variance, 0.5, 1e-12);
  // 0.5 times the inverse of (4 6; 6 14), whose determinant is 20.
  const Cells sampling{0.35, -0.15, -0.15, 0.1};
  ASSERT_EQ(fit.sampling.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(fit.sampling[i], sampling[i], 1e-12);
  EXPECT_EQ(fit.noise, Cells(12, 0));
}

TEST(LeastSquares, TakesPredictorsAndResponsesThatAreCombinations) {
  // Regression on x only, in halves, with y - 1.
  LinearModel through_origin{1, {0, 0.5, 0}, {-1, 0, 1}, {0}, 1e-9, 3};
  const LeastSquares fit = least_squares(moments_of(kRows), through_origin);
  EXPECT_NEAR(fit.coefficients[0], 4, 1e-12);  // (34 - 6) / 14 is the slope of x
  EXPECT_NEAR(fit.sampling[0], fit.variance / 3.5, 1e-12);
}

// For a small deviation, moving each pair by one standard deviation moves the estimate as reported.
void expect_moves(const NoisyMoments& moments, const LinearModel& model) {
  const LeastSquares fit = least_squares(moments, model);
  std::size_t pair = 0;
  for (std::size_t j = 0; j < moments.size; ++j) {
    for (std::size_t k = j; k < moments.size; ++k, ++pair) {
      const double step = 1e-6 * moments.noise[moments.size * k + j];
      NoisyMoments up = moments;
      NoisyMoments down = moments;
      up.values[moments.size * k + j] += step;
      down.values[moments.size * k + j] -= step;
      if (j != k) up.values[moments.size * j + k] += step;
      if (j != k) down.values[moments.size * j + k] -= step;
      const Cells above = least_squares(up, model).coefficients;
      const Cells below = least_squares(down, model).coefficients;
      for (std::size_t i = 0; i < model.predictors; ++i) {
        const double slope = (above[i] - below[i]) / 2e-6;
        EXPECT_NEAR(fit.noise[pair * model.predictors + i], slope, 1e-7) << i << " " << pair;
      }
    }
  }
}

TEST(LeastSquares, NoiseOfEachPairMovesCoefficientsAsItSays) {
  NoisyMoments moments = moments_of(kRows);
  moments.noise = {0, 1, 2, 1, 3, 0.5, 2, 0.5, 4};
  expect_moves(moments, line());
  expect_moves(moments, line(1e-9, 5));
  expect_moves(moments, {2, {1, 0.2, 0.3, 1, 0, 0}, {-1, 0, 1}, {0, 0}, 1e-9, 2});
}

TEST(LeastSquares, ARidgeIsThatOfRowsThatWereAdded) {
  // A row (0, 3, 0) adds 9 only to the square of x.
  const LeastSquares fit = least_squares(moments_of(kRows), line(1e-9, 9));
  // (4 6; 6 23) theta = (16, 34)
  EXPECT_NEAR(fit.coefficients[0], (16 * 23 - 6 * 34) / 56.0, 1e-12);
  EXPECT_NEAR(fit.coefficients[1], (4 * 34 - 6 * 16) / 56.0, 1e-12);
}

TEST(LeastSquares, EigenvaluesBelowTheFloorAreRaisedAndSaidToBe) {
  // The squares (-1, 2) both become 5.
  const NoisyMoments broken{3, {-1, 0, 10, 0, 2, 5, 10, 5, 100}, Cells(9, 1)};
  const LeastSquares fit = least_squares(broken, line(5));
  EXPECT_TRUE(fit.repaired);
  EXPECT_NEAR(fit.coefficients[0], 2, 1e-12);
  EXPECT_NEAR(fit.coefficients[1], 1, 1e-12);
  // 100 - 2 (20 + 5) + 5 (4 + 1)
  EXPECT_NEAR(fit.variance, 75 / 2.0, 1e-12);
}

TEST(LeastSquares, AVarianceBelowZeroIsCutAndCountsNoise) {
  const NoisyMoments broken{3, {4, 0, 4, 0, 4, 4, 4, 4, 1}, {0, 0, 0, 0, 0, 0, 0, 0, 2}};
  const LeastSquares fit = least_squares(broken, line());
  EXPECT_TRUE(fit.repaired);
  EXPECT_EQ(fit.variance, 0);
  // 0.7 times the deviation of y's square over two degrees of freedom, over a square of 4.
  EXPECT_NEAR(fit.sampling[0], 0.7 * 2 / 2 / 4, 1e-12);
}

TEST(LeastSquares, MomentsOfOneColumnTwiceHaveAnAnswer) {
  const double floor = std::numeric_limits<double>::min();
  const NoisyMoments twice{3, {1e6, 1e6, 2, 1e6, 1e6, 2, 2, 2, 5}, Cells(9, 0)};
  const LeastSquares fit = least_squares(twice, line(floor));
  EXPECT_TRUE(fit.repaired);
  for (const double each : fit.coefficients) EXPECT_NEAR(each, 1e-6, 1e-9);
}

TEST(LeastSquares, MomentsOfAnySizeHaveAnAnswerOrNone) {
  for (const double size : {1e-300, 1e300, -1e300}) {
    const NoisyMoments moments{3, Cells(9, size), Cells(9, 1)};
    EXPECT_EQ(least_squares(moments, line()).coefficients.size(), 2u);
  }
  NoisyMoments infinite = moments_of(kRows);
  infinite.values[4] = std::numeric_limits<double>::infinity();
  const LeastSquares fit = least_squares(infinite, line());
  EXPECT_TRUE(fit.repaired);
  EXPECT_TRUE(std::isnan(fit.variance));
  for (const Cells& each : {fit.coefficients, fit.sampling, fit.noise}) {
    for (const double x : each) EXPECT_TRUE(std::isnan(x));
  }
}

TEST(LeastSquares, RefusesWhatDoesNotFit) {
  const NoisyMoments good = moments_of(kRows);
  NoisyMoments negative = good;
  negative.noise[4] = -1;
  NoisyMoments small = good;
  small.values.pop_back();
  for (const NoisyMoments& bad : {negative, small}) {
    EXPECT_THROW(least_squares(bad, line()), Error);
  }
  EXPECT_THROW(least_squares(good, line(0)), Error);
  EXPECT_THROW(least_squares(good, line(1, -1)), Error);
  EXPECT_THROW(least_squares(good, {0, {}, {0, 0, 1}, {}, 1, 1}), Error);
  EXPECT_THROW(least_squares(good, {1, {1, 0, 0}, {0, 0, 1}, {0}, 1, 0}), Error);
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THROW(least_squares(good, line(infinity)), Error);
  EXPECT_THROW(least_squares(good, {1, {1, 0, 0}, {0, 0, 1}, {0}, 1, infinity}), Error);
  EXPECT_THROW(least_squares({0, {}, {}}, {1, {}, {}, {0}, 1, 1}), Error);
}

}  // namespace
}  // namespace dp::least_squares_test
