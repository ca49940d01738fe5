#include "core/measurements/noisy_moments.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/frames.h"

namespace dp::test::noisy_moments_test {
namespace {

// Variance of x, covariance, variance of y and both means, with negligible noise.
Doubles exact(const std::vector<ColumnSpec>& columns,
              const Doubles& x,
              const Doubles& y,
              std::size_t n) {
  const Epsilon free(1e15);
  const auto measurement = make_noisy_moments(columns,
                                              {{false, 0, 0, free},
                                               {false, 1, 0, free},
                                               {false, 1, 1, free},
                                               {true, 0, 0, free},
                                               {true, 1, 1, free}},
                                              n);
  return doubles_in(measurement.invoke(frame_of(x, y)));
}

void expect_near(const Doubles& found, const Doubles& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-8) << i;
}

TEST(NoisyMoments, ConvergeToThoseOfClampedRows) {
  const std::vector<ColumnSpec> columns = {column("x", 0, 10), column("y", -5, 5)};
  expect_near(exact(columns, {0, 5, 3}, {1, 2, 3}, 3), {19.0 / 3, 1.5, 1, 8.0 / 3, 2});
  expect_near(exact(columns, {-7, kInf}, {-kInf, 5}, 2), {50, 50, 50, 5, 0});
}

TEST(NoisyMoments, WholeColumnsAreCutOffAndDrawWholeNumbers) {
  const std::vector<ColumnSpec> columns = {column("x", 0, 10, true), {"y", 0, 9, 4, 4, true}};
  expect_near(exact(columns, {2.9, 4.1}, {kNaN, kInf}, 2), {2, 0, 0, 3, 4});
}

TEST(NoisyMoments, ADeclaredNumberOfRowsIsKeptForAllColumnsAlike) {
  const std::vector<ColumnSpec> columns = {{"x", 0, 8, 4, 4, false}, {"y", 0, 8, 4, 4, false}};
  // Two missing rows, at (4, 4).
  expect_near(exact(columns, {0, 8}, {8, 0}, 4), {32.0 / 3, -32.0 / 3, 32.0 / 3, 4, 4});
  // The columns stay aligned, whichever rows are dropped.
  for (int i = 0; i < 20; ++i) {
    const auto found = exact(columns, {1, 2, 3, 5, 7}, {1, 2, 3, 5, 7}, 3);
    EXPECT_NEAR(found[0], found[1], 1e-8);
    EXPECT_NEAR(found[0], found[2], 1e-8);
  }
}

TEST(NoisyMoments, D_SEN_1_NoNeighboursAreFurtherApartThanTheNoiseAssumes) {
  const Doubles grid = {0, 1, 2};
  double most[2] = {0, 0};
  const auto covariance = [](const Doubles& x, const Doubles& y) {
    const double a = (x[0] + x[1] + x[2]) / 3;
    const double b = (y[0] + y[1] + y[2]) / 3;
    return ((x[0] - a) * (y[0] - b) + (x[1] - a) * (y[1] - b) + (x[2] - a) * (y[2] - b)) / 2;
  };
  for (int code = 0; code < 6561; ++code) {
    Doubles v;
    for (int rest = code, i = 0; i < 8; ++i, rest /= 3) v.push_back(grid[rest % 3]);
    const double here = covariance({v[0], v[1], v[2]}, {v[3], v[4], v[5]});
    const double there = covariance({v[0], v[1], v[6]}, {v[3], v[4], v[7]});
    most[0] = std::max(most[0], std::fabs(here - there));
    const double square = covariance({v[0], v[1], v[2]}, {v[0], v[1], v[2]});
    most[1] =
        std::max(most[1], std::fabs(square - covariance({v[0], v[1], v[6]}, {v[0], v[1], v[6]})));
  }
  // The bound R_i R_j / n, for covariances and variances, is attained and never exceeded.
  EXPECT_NEAR(most[0], 4.0 / 3, 1e-12);
  EXPECT_NEAR(most[1], 4.0 / 3, 1e-12);
}

TEST(NoisyMoments, LossesAddUp) {
  const auto measurement =
      make_noisy_moments({column("x", 0, 1), column("y", 0, 1)},
                         {{false, 0, 1, Epsilon(0.25)}, {true, 0, 0, Epsilon(0.5)}},
                         5);
  EXPECT_EQ(number_in<double>(measurement.map(Scalar(std::uint32_t{1}))), 0.75);
  EXPECT_EQ(number_in<double>(measurement.map(Scalar(std::uint32_t{3}))), 2.25);
}

TEST(NoisyMoments, NoiseHasTheSpreadOfItsLoss) {
  // A covariance, a variance and a mean of ranges 1 and 3. Laplace noise has scale R_i R_j / n, or
  // R_j / n. The scale is both its mean magnitude and the standard deviation of the magnitude.
  const Epsilon one(1);
  const auto measurement =
      make_noisy_moments({column("x", 0, 1), column("y", 0, 3)},
                         {{false, 0, 1, one}, {false, 1, 1, one}, {true, 1, 1, one}},
                         2);
  Doubles totals(3);
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) {
    const Doubles found = doubles_in(measurement.invoke(frame_of({0, 0}, {0, 0})));
    for (std::size_t m = 0; m < 3; ++m) totals[m] += std::fabs(found.at(m));
  }
  const Doubles scales = {1.5, 4.5, 1.5};
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_NEAR(totals[m] / kDraws / scales[m], 1, 6 / std::sqrt(double{kDraws})) << m;
  }
}

TEST(NoisyMoments, RefusesWhatItMust) {
  const Moment moment{false, 0, 0, Epsilon(1)};
  const auto refused = [&](const std::vector<ColumnSpec>& columns, const Moment& wanted, auto n) {
    expect_error(ErrorKind::make_measurement,
                 [&] { make_noisy_moments(columns, {wanted}, static_cast<std::uint64_t>(n)); });
  };
  refused({column("x", 0, 1)}, moment, 1);
  refused({column("x", 1, 1)}, moment, 5);
  refused({column("x", 0, 1), column("x", 0, 1)}, moment, 5);
  refused({column("x", 0, 0x1p53 + 2, true)}, moment, 5);
  EXPECT_NO_THROW(make_noisy_moments({column("x", 0, 0x1p53, true)}, {moment}, 5));
  refused({{"x", 0, 1, 0, 2, false}}, moment, 5);
  refused({column("x", 0, 1e300)}, moment, 5);
  refused({column("x", 0, 1)}, {false, 0, 1, Epsilon(1)}, 5);
  refused({column("x", 0, 1)}, {false, 0, 0, Epsilon(0)}, 5);
}

}  // namespace
}  // namespace dp::test::noisy_moments_test
