#include "core/measurements/weighted_squares.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/doubles.h"
#include "support/expect_error.h"

namespace dp::test::weighted_squares_test {
namespace {

constexpr std::int32_t kOne = std::int32_t{1} << kPredictorBits;

// A row of predictors in halves, and its weight in halves.
struct Row {
  std::vector<int> z;
  int rho;
};

std::vector<Row> all_rows(std::size_t predictors, const std::vector<int>& grid) {
  std::vector<std::vector<int>> places = {{}};
  for (std::size_t c = 0; c < predictors; ++c) {
    std::vector<std::vector<int>> longer;
    for (const std::vector<int>& place : places) {
      for (const int z : grid) {
        longer.push_back(place);
        longer.back().push_back(z);
      }
    }
    places = longer;
  }
  std::vector<Row> rows;
  for (const std::vector<int>& place : places) {
    for (const int rho : {0, 1, 2}) rows.push_back({place, rho});
  }
  return rows;
}

// Greatest loss of one replaced row with these noise scales on products and squares. Independent
// discrete Laplace noise on integers attains a loss equal to the L1 distance in its scales.
Rational greatest_loss(const std::vector<Row>& rows,
                       const Rational& products,
                       const Rational& squares) {
  Rational greatest(0);
  for (const Row& here : rows) {
    for (const Row& there : rows) {
      Rational loss(0);
      for (std::size_t i = 0; i < here.z.size(); ++i) {
        for (std::size_t j = i; j < here.z.size(); ++j) {
          const int moved = here.rho * here.z[i] * here.z[j] - there.rho * there.z[i] * there.z[j];
          loss += Rational(std::abs(moved), 8) / (i == j ? squares : products);
        }
      }
      greatest = std::max(greatest, loss);
    }
  }
  return greatest;
}

TEST(WeightedSquares, D_SEN_1_NoReplacedRowWithItsWeightLosesMoreThanEpsilonAndSomeLoseIt) {
  const std::vector<int> halves = {-2, -1, 0, 1, 2};
  const std::vector<int> ends = {-2, 0, 2};
  for (const std::size_t d : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{4}}) {
    const std::vector<Row> rows = all_rows(d, d > 2 ? ends : halves);
    const Rational s = square_scale(d, Epsilon(0.75));
    const Rational greatest = greatest_loss(rows, s, 2 * s);
    EXPECT_LE(greatest, Rational(3, 4)) << d;
    // With an odd number of predictors above one, the halves differ in size.
    const bool attained = greatest == Rational(3, 4);
    EXPECT_TRUE(attained || (d % 2 == 1 && d > 1)) << d;
  }
}

TEST(WeightedSquares, D_SEN_1_TheSameCheckRejectsLessNoise) {
  for (const std::size_t d : {std::size_t{1}, std::size_t{2}}) {
    const std::vector<Row> rows = all_rows(d, {-2, 0, 2});
    const Rational s = square_scale(d, Epsilon(1));
    EXPECT_GT(greatest_loss(rows, s, s), Rational(1)) << d;
    EXPECT_GT(greatest_loss(rows, s * Rational(2, 3), s * Rational(4, 3)), Rational(1)) << d;
  }
  // Mutant: a weight above 1, which weight_of() never returns.
  std::vector<Row> heavy = all_rows(1, {-2, 0, 2});
  heavy.push_back({{2}, 3});
  const Rational s = square_scale(1, Epsilon(1));
  EXPECT_GT(greatest_loss(heavy, s, 2 * s), Rational(1));
}

TEST(WeightedSquares, D_SEN_1_WeightsAreFromNoneToWholeWhateverComes) {
  EXPECT_EQ(weight_of(0), 0);
  EXPECT_EQ(weight_of(0.5), kWholeRho / 2);
  EXPECT_EQ(weight_of(1), kWholeRho);
  for (const double rho : {-1.0, -0.0, -1e-300, -kInf, kNaN}) EXPECT_EQ(weight_of(rho), 0);
  for (const double rho : {std::nextafter(1.0, 0.0), 1.1, 1e300, kInf})
    EXPECT_EQ(weight_of(rho), kWholeRho);
}

TEST(WeightedSquares, ConvergeToSumsOfProducts) {
  // (1, 1/2) with weight 1/2, (1, -1) with 1/4, and (1, 1) with weight zero.
  const GlmRows rows{2, {kOne, kOne / 2, kOne, -kOne, kOne, kOne}, {0, 0, 0}};
  const std::vector<std::int32_t> weights = {kWholeRho / 2, kWholeRho / 4, 0};
  const Doubles found = WeightedSquares(2, Epsilon(1e12)).release(rows, weights, secure_bits());
  ASSERT_EQ(found.size(), 3u);
  EXPECT_NEAR(found[0], 0.75, 1e-9);
  EXPECT_NEAR(found[1], 0, 1e-9);
  EXPECT_NEAR(found[2], 0.375, 1e-9);
}

TEST(WeightedSquares, NoiseHasTheSpreadOfItsScale) {
  constexpr int kDraws = 20000;
  const GlmRows rows{2, {0, 0}, {0}};
  const WeightedSquares squares(2, Epsilon(0.5));
  Doubles totals(3, 0.0);
  for (int i = 0; i < kDraws; ++i) {
    const Doubles found = squares.release(rows, {kWholeRho}, secure_bits());
    for (std::size_t m = 0; m < 3; ++m) totals[m] += std::fabs(found[m]);
  }
  const Doubles scales = {8, 4, 8};
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_NEAR(totals[m] / kDraws, scales[m], 6 * scales[m] / std::sqrt(double{kDraws})) << m;
  }
}

TEST(WeightedSquares, RefuseALossThatIsNone) {
  for (const double epsilon : {0.0, kInf, 1e-290}) {
    expect_error(ErrorKind::make_measurement, [&] { WeightedSquares(2, Epsilon(epsilon)); });
  }
}

}  // namespace
}  // namespace dp::test::weighted_squares_test
