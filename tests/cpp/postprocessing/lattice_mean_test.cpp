#include "core/postprocessing/lattice_mean.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace dp::lattice_mean_test {
namespace {

double mean(int128_t total, Lattice from, std::uint64_t count, Lattice to) {
  return element_in<double>(lattice_mean(from, count, to)(Scalar(total)));
}

TEST(LatticeMean, IsTheNearestMultipleOfTheStepTiesUp) {
  EXPECT_EQ(mean(7, {0}, 2, {0}), 4);
  EXPECT_EQ(mean(-7, {0}, 2, {0}), -3);
  EXPECT_EQ(mean(7, {0}, 2, {-1}), 3.5);
  EXPECT_EQ(mean(10, {-3}, 3, {-3}), 0.375);  // 10/3 steps
  EXPECT_EQ(mean(10, {2}, 3, {-1}), 13.5);    // 40/3 = 13.33...
  EXPECT_FALSE(std::signbit(mean(-1, {0}, 4, {0})));
}

TEST(LatticeMean, D_FLT_1_EveryReleaseIsAMultipleOfTheStep) {
  for (const std::uint64_t count : {1, 3, 10000}) {
    for (const int exponent : {-60, -3, 0, 40}) {
      for (int128_t total = -1000; total < 1000; ++total) {
        const double steps =
            std::ldexp(mean(total * 982451653, {-44}, count, {exponent}), -exponent);
        ASSERT_EQ(steps, std::floor(steps));
      }
    }
  }
}

TEST(LatticeMean, D_FLT_1_AHugeTotalStaysFinite) {
  const int128_t most = std::numeric_limits<std::int64_t>::max() * int128_t{1000000000};
  const double large = mean(most, {970}, 1, {970});
  EXPECT_TRUE(std::isfinite(large));
  EXPECT_EQ(mean(-most, {970}, 1, {970}), -large);
}

}  // namespace
}  // namespace dp::lattice_mean_test
