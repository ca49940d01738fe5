#include "core/random/heavy_tail_noise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "core/numeric/rational.h"
#include "support/recorded_bits.h"

namespace dp::heavy_tail_noise_test {
namespace {

double cdf(double z) { return 0.5 + 0.5 * z / std::sqrt(1 + z * z); }

// Pearson's statistic of draws in the cells -5, ..., 5 and two tails: 12 degrees of freedom.
template <class Draw>
double chi_square(double scale, Draw draw) {
  constexpr int kDraws = 200000;
  std::map<int, int> counts;
  for (int i = 0; i < kDraws; ++i) {
    const Integer n = draw();
    ++counts[n < -5 ? -6 : n > 5 ? 6 : static_cast<int>(n)];
  }
  double statistic = 0;
  for (int n = -6; n <= 6; ++n) {
    const double below = n == -6 ? 0 : cdf((n - 0.5) / scale);
    const double above = n == 6 ? 1 : cdf((n + 0.5) / scale);
    const double expected = kDraws * (above - below);
    statistic += (counts[n] - expected) * (counts[n] - expected) / expected;
  }
  return statistic;
}

constexpr double kLimit = 51.0;  // chi-square, 12 degrees of freedom, 1e-6

TEST(HeavyTailNoise, D_SAM_2_HasTheRoundedLaw) {
  ReplayedBits bits(1);
  for (const double scale : {0.5, 1.0, 7.25}) {
    const Rational exact = exact_rational(scale);
    EXPECT_LT(chi_square(scale, [&] { return heavy_tail_noise(exact, bits); }), kLimit) << scale;
  }
}

TEST(HeavyTailNoise, D_SAM_2_TheTestRejectsAnotherScale) {
  ReplayedBits bits(2);
  EXPECT_GT(chi_square(1, [&] { return heavy_tail_noise(Rational(21, 20), bits); }), kLimit);
}

TEST(HeavyTailNoise, IsZeroAtScaleZeroAndLargeAtLargeScales) {
  ReplayedBits bits(3);
  const Rational large = power_of_two(150);
  int beyond = 0;
  for (int i = 0; i < 2000; ++i) {
    EXPECT_EQ(heavy_tail_noise(Rational(0), bits), 0);
    if (abs(heavy_tail_noise(large, bits)) > Integer(1) << 150) ++beyond;
  }
  EXPECT_NEAR(beyond, 2000 * (1 - std::sqrt(0.5)), 6 * 21);
}

// Both bounds of the header, on a grid. The privacy of the trimmed mean depends on them.
TEST(HeavyTailNoise, AShiftAndAStretchCostNoMoreThanTheHeaderSays) {
  const auto log_density = [](double z) { return -1.5 * std::log1p(z * z); };
  double shift = 0;
  double stretch = 0;
  for (double z = -50; z <= 50; z += 0.01) {
    for (const double s : {0.01, 0.3, 2.0}) {
      shift = std::max(shift, std::fabs(log_density(z + s) - log_density(z)) / s);
      const double moved = s + log_density(std::exp(s) * z) - log_density(z);
      stretch = std::max(stretch, std::fabs(moved) / s);
    }
  }
  EXPECT_LE(shift, 1.5);
  EXPECT_GT(shift, 1.49);
  EXPECT_LE(stretch, 2);
  EXPECT_GT(stretch, 1.9);
}

}  // namespace
}  // namespace dp::heavy_tail_noise_test
