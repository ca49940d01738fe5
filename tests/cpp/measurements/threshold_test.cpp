#include "core/measurements/threshold.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/exact_laws.h"

namespace dp::test::threshold_test {
namespace {

// P[Z >= t] of a law.
Wide tail_of(const Law& law, long t) {
  Wide sum = 0;
  for (long z = law.reach; z >= t; --z) sum += law.mass(z);
  return sum;
}

TEST(Threshold, KeepsWhatIsAtLeastAsFarFromZero) {
  const Threshold up(Integer(10)), down(Integer(-10)), zero(Integer(0));
  EXPECT_TRUE(up.keeps(10) && up.keeps(11) && !up.keeps(9) && !up.keeps(-10));
  EXPECT_TRUE(down.keeps(-10) && down.keeps(-11) && !down.keeps(-9) && !down.keeps(10));
  EXPECT_TRUE(zero.keeps(0) && !zero.keeps(-1));
  EXPECT_EQ(up.reach(3), 7);
  EXPECT_EQ(down.reach(3), 7);
  EXPECT_LT(up.reach(11), 0);
}

TEST(Threshold, D_EPS_3_ReachIsExactlyWhatNoiseNeeds) {
  for (long at : {-5L, 0L, 4L}) {
    const Threshold threshold{Integer(at)};
    for (long value = -9; value <= 9; ++value) {
      // With a value of this magnitude on the threshold's side.
      const long aligned = at < 0 ? -std::labs(value) : std::labs(value);
      const auto reach = static_cast<long>(threshold.reach(Integer(std::labs(value))));
      for (long z = -20; z <= 20; ++z) {
        const long noise = at < 0 ? -z : z;
        EXPECT_EQ(threshold.keeps(Integer(aligned + noise)), z >= reach);
      }
    }
  }
}

TEST(Threshold, D_EPS_3_LaplaceTailIsTheTruthRoundedUp) {
  for (double scale : {0.25, 1.0, 3.7}) {
    const Wide q = exp(-1 / Wide(scale));
    for (int t : {0, 1, 2, 9, 25}) {
      const Wide truth = pow(q, t) / (1 + q);
      const double claim = laplace_tail(t, Rational(scale));
      EXPECT_GE(claim, truth) << scale << ' ' << t;
      EXPECT_LE(claim, truth * (1 + Wide(1e-12))) << scale << ' ' << t;
    }
  }
}

TEST(Threshold, D_EPS_3_GaussianTailIsAboveTheTruthAndNear) {
  for (double sigma : {0.3, 1.0, 2.0, 12.5}) {
    const Law law = gaussian_law(sigma);
    for (long t = 0; t < std::lround(12 * sigma); t += std::lround(1 + sigma / 2)) {
      const Wide truth = tail_of(law, t);
      const double claim = gaussian_tail(t, Rational(sigma));
      EXPECT_GE(claim, truth) << sigma << ' ' << t;
      const double spare = t > std::lround(3 * sigma) ? 1.25 : 2.1;
      EXPECT_LE(claim, spare * truth) << sigma << ' ' << t;
    }
  }
}

TEST(Threshold, D_EPS_3_TheCheckRejectsTheTailThatLeavesTheThresholdOut) {
  // Mutant: P[Z > t] instead of P[Z >= t].
  EXPECT_LT(laplace_tail(10, 1), tail_of(laplace_law(1, 200), 9));
  EXPECT_LT(gaussian_tail(7, 1), tail_of(gaussian_law(1), 6));
}

TEST(Threshold, GaussianTailIsThatOfTheContinuousLawOnTheFinestGrid) {
  const Rational step = Rational(1, Integer(1) << 1074);
  const double claim = gaussian_tail(Integer(7) << 1074, 1 / step);
  EXPECT_NEAR(claim, 1.279812543885835e-12, 1e-23);
}

TEST(Threshold, TailsOfExtremesAreNumbers) {
  const Rational tiny = Rational(1, Integer(1) << 1074), huge = Rational(Integer(1) << 3000);
  for (const auto tail : {laplace_tail, gaussian_tail}) {
    for (const Rational& scale : {tiny, huge}) {
      for (const Integer& t : {Integer(0), Integer(1), Integer(Integer(1) << 2900)}) {
        const double p = tail(t, scale);
        EXPECT_TRUE(p > 0 && p <= 1) << p;
      }
    }
  }
}

TEST(Threshold, AnyOfManyIsRoundedUp) {
  for (double delta : {0.0, 1e-20, 1e-9, 0.3, 0.999}) {
    for (std::uint32_t n : {0u, 1u, 2u, 100u, 4294967295u}) {
      const Wide truth = 1 - pow(1 - Wide(delta), n);
      const double claim = any_of(delta, n);
      EXPECT_GE(claim, truth - slack()) << delta << ' ' << n;
      EXPECT_LE(claim, truth * (1 + Wide(1e-15)) + n * Wide(0x1p-53)) << delta << ' ' << n;
      EXPECT_LE(claim, 1);
    }
  }
  EXPECT_EQ(any_of(1, 3), 1);
  EXPECT_EQ(any_of(1, 0), 0);
}

}  // namespace
}  // namespace dp::test::threshold_test
