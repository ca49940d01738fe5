#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/measurements/laplace.h"
#include "support/scripted_bits.h"

namespace dp::test::noise_scale_test {
namespace {

// A random positive double between 2^-60 and 2^60.
double some_positive(SplitMix& random) {
  return std::ldexp(1 + static_cast<double>(random() >> 12) * 0x1p-52,
                    static_cast<int>(random() % 120) - 60);
}

TEST(NoiseScale, IsTheLeastDoubleThatKeepsThePromise) {
  SplitMix random(21);
  for (int i = 0; i < 1000; ++i) {
    const Rational d_in(some_positive(random));
    const double budget = some_positive(random);
    const double laplace = laplace_scale(d_in, Epsilon(budget));
    EXPECT_GE(Rational(laplace) * Rational(budget), d_in);
    EXPECT_LT(Rational(std::nextafter(laplace, 0)) * Rational(budget), d_in);
  }
}

TEST(NoiseScale, KnownValues) {
  EXPECT_EQ(laplace_scale(1, Epsilon(0.5)), 2);
  EXPECT_EQ(laplace_scale(1, Epsilon(0.1)), 10);  // 0.1 is slightly above a tenth
  EXPECT_EQ(laplace_scale(750000, Epsilon(0.1)), 7500000);
  EXPECT_EQ(laplace_scale(0, Epsilon(0)), 0);
  EXPECT_EQ(laplace_scale(5, Epsilon(std::numeric_limits<double>::infinity())), 0);
}

TEST(NoiseScale, D_SAM_3_UnreachableTargetsAreRefusedAndNeverSearchedForEver) {
  EXPECT_THROW(laplace_scale(1, Epsilon(0)), Error);
  EXPECT_EQ(laplace_scale(1, Epsilon(1e-300)), 1e300);
  EXPECT_THROW(laplace_scale(Rational(1e300), Epsilon(1e-300)), Error);
  EXPECT_THROW(laplace_scale(-1, Epsilon(1)), Error);
  try {
    laplace_scale(1, Epsilon(0));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::search);
  }
}

}  // namespace
}  // namespace dp::test::noise_scale_test
