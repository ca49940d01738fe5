#include "core/query/combined_noise.h"

#include <gtest/gtest.h>

#include <cmath>

namespace dp::query {
namespace {

// P[|X| > t] for sums of Laplace variables of scale 1, by their exact laws.
double tail_of_two(double t) { return (1 + t / 2) * std::exp(-t); }
double tail_of_three(double t) { return (1 + 5 * t / 8 + t * t / 8) * std::exp(-t); }
// Tail of X + r Y.
double tail_of_unlike(double t, double r) {
  return (std::exp(-t) - r * r * std::exp(-t / r)) / (1 - r * r);
}

TEST(CombinedNoise, SumsOfLaplaceNumbersReachAsFarAsTheirLawSays) {
  for (const double alpha : {0.01, 0.05, 0.1}) {
    const CombinedReach reach(NoiseKind::laplace, Alpha(alpha));
    const double each = reach.fourth_cumulant(std::sqrt(2));
    EXPECT_NEAR(reach.of(2, each), -std::log(alpha), 1e-9);
    const auto quantile = [&](auto tail) {
      double low = 0;
      double high = 100;
      for (int i = 0; i < 100; ++i) {
        const double middle = (low + high) / 2;
        (tail(middle) > alpha ? low : high) = middle;
      }
      return low;
    };
    const double two = quantile(tail_of_two);
    const double three = quantile(tail_of_three);
    EXPECT_NEAR(reach.of(4, 2 * each) / two, 1, 0.01) << alpha;
    EXPECT_NEAR(reach.of(6, 3 * each) / three, 1, 0.01) << alpha;
    for (const double r : {0.2, 0.5, 0.8}) {
      const double exact = quantile([&](double t) { return tail_of_unlike(t, r); });
      const double found = reach.of(2 + 2 * r * r, each * (1 + r * r * r * r));
      EXPECT_NEAR(found / exact, 1, 0.012) << alpha << " " << r;
    }
  }
}

TEST(CombinedNoise, OneNumberReachesExactlyAsItsLawSays) {
  const Alpha alpha(0.05);
  const NoiseLaw law(NoiseKind::laplace, 0.2);  // almost always 0
  const CombinedReach reach(NoiseKind::laplace, alpha);
  CombinedNoise one(reach);
  one.add(-3, noise_term(law, 0, alpha));
  EXPECT_EQ(one.reach(), 0);
  CombinedNoise two(reach);
  two.add(1, noise_term(law, 0, alpha));
  two.add(1, noise_term(law, 0, alpha));
  EXPECT_EQ(two.reach(), 0);
  CombinedNoise none(reach);
  none.add(0, noise_term(NoiseLaw(NoiseKind::laplace, 5), 0, alpha));
  EXPECT_EQ(none.reach(), 0);
}

TEST(CombinedNoise, RatiosAreThoseThatNoiseAllows) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const auto reach = [](double ratio) { return 2 * std::sqrt(1 + ratio * ratio); };
  const Range range = ratios_about(2, 20, 10, {-kInfinite, kInfinite}, reach);
  for (const double end : {range.lower, range.upper}) {
    EXPECT_NEAR(std::fabs(20 - end * 10), reach(end), 1e-9);
  }
  EXPECT_LT(range.lower, 2);
  EXPECT_GT(range.upper, 2);
  const Range held = ratios_about(2, 20, 10, {1.9, 2.1}, reach);
  EXPECT_EQ(held.lower, 1.9);
  EXPECT_EQ(held.upper, 2.1);
  // No ratio in the range fits the noise: returns the end of the range, and how far noise reaches
  // from it.
  const Range beyond = ratios_about(1, 20, 10, {-1, 1}, reach);
  EXPECT_EQ(beyond.upper, 1);
  EXPECT_NEAR(beyond.lower, 1 - reach(1) / 10, 1e-12);
  // If the divisor may be 0, the whole range is possible.
  EXPECT_EQ(ratios_about(20, 20, 1, {-kInfinite, kInfinite}, reach).upper, kInfinite);
}

}  // namespace
}  // namespace dp::query
