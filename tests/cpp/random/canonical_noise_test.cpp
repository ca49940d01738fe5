#include "core/random/canonical_noise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/numeric/directed.h"
#include "core/numeric/rational.h"
#include "support/recorded_bits.h"
#include "support/tier.h"

namespace dp::canonical_noise_test {
namespace {

CanonicalNoise noise_of(double epsilon, double delta) {
  return {exact_rational(exp_down(epsilon)), exact_rational(delta)};
}

// Distribution function for delta = 0 in closed form, with k the number of whole steps nearest to
// x. Mass falls by b = exp(-epsilon) per unit and is spread evenly over each unit. Source: Awan and
// Slavkovic (2018), "Differentially Private Uniformly Most Powerful Tests for Binomial Data".
double tulap_cdf(double x, double b) {
  if (x > 0) return 1 - tulap_cdf(-x, b);
  const double k = std::round(x);
  return std::pow(b, -k) / (1 + b) * (b + (x - k + 0.5) * (1 - b));
}

// Distribution function for any delta: the law above, cut off on both sides at tail mass q / 2
// (Awan and Slavkovic, Definition 4.1).
double truncated_cdf(double x, double epsilon, double delta) {
  const double b = std::exp(-epsilon);
  const double q = 2 * delta * b / (1 - b + 2 * delta * b);
  const double p = tulap_cdf(x, b);
  return std::clamp((p - q / 2) / (1 - q), 0.0, 1.0);
}

TEST(CanonicalNoise, QuantilesInvertTheDistributionFunction) {
  constexpr unsigned kBits = 40;
  for (double epsilon : {0.1, 1.0, 3.0}) {
    for (double delta : {0.0, 1e-6, 0.1}) {
      const CanonicalNoise noise = noise_of(epsilon, delta);
      for (double u : {0.001, 0.01, 0.2, 0.49, 0.5, 0.7, 0.93, 0.9999}) {
        const Integer units(static_cast<std::int64_t>(std::ldexp(u, kBits)));
        const double down = to_double_down(noise.quantile_down(units, kBits));
        const double up = to_double_up(noise.quantile_up(units, kBits));
        EXPECT_LE(down, up);
        EXPECT_LE(up - down, 1e-9);
        EXPECT_NEAR(truncated_cdf(down, epsilon, delta), u, 1e-9)
            << epsilon << ' ' << delta << ' ' << u;
      }
    }
  }
}

// Q(u) by its definition, in rational arithmetic.
Rational exact_quantile(Rational u, const Rational& A, const Rational& delta) {
  const Rational c = (1 - delta) / (1 + A);
  Rational steps = 0;
  for (; u < c; u = delta + A * u) steps -= 1;
  for (; u > 1 - c; u = 1 - delta - A * (1 - u)) steps += 1;
  return (u - Rational(1, 2)) / (1 - 2 * c) + steps;
}

TEST(CanonicalNoise, D_FLT_3_QuantilesEncloseTheExactOnes) {
  for (const Rational& A : {Rational(5, 3), Rational(11, 10), Rational(7), Rational(65, 64)}) {
    for (const Rational& delta : {Rational(0), Rational(1, 97), Rational(1, 3)}) {
      const CanonicalNoise noise(A, delta);
      for (int i = 1; i < 64; ++i) {
        const Rational exact = exact_quantile(Rational(i, 64), A, delta);
        EXPECT_LE(noise.quantile_down(i, 6), exact) << i;
        EXPECT_GE(noise.quantile_up(i, 6), exact) << i;
        EXPECT_LE(noise.quantile_up(i, 6) - noise.quantile_down(i, 6), Rational(1, 1 << 30));
      }
    }
  }
}

// Largest shortfall of the trade-off between the noise and its shift by m, relative to (epsilon,
// delta). Compares f(alpha) with F(F^-1(1 - alpha) - m) on a grid of alpha.
Rational worst_gap(const CanonicalNoise& noise, double epsilon, double delta, double m) {
  constexpr unsigned kBits = 40;
  const Integer one = Integer(1) << kBits;
  Rational worst = -1;
  for (int i = 1; i < 60; ++i) {
    const Integer units = one * i / 60;
    const Rational alpha = 1 - Rational(units, one);
    // Type II error of the best test of size alpha: F(x - m) with x = Q(1 - alpha), by bisection.
    const Rational x = noise.quantile_up(units, kBits) - exact_rational(m);
    Integer low = 0, high = one;
    while (high - low > 1) {
      const Integer middle = (low + high) / 2;
      (noise.quantile_down(middle, kBits) <= x ? low : high) = middle;
    }
    const Rational error(high, one);  // not below the truth
    const Rational first = 1 - exact_rational(delta) - exact_rational(exp_up(epsilon)) * alpha;
    const Rational second =
        exact_rational(exp_down(-epsilon)) * (1 - exact_rational(delta) - alpha);
    const Rational needed = std::max({first, second, Rational(0)});
    worst = std::max(worst, Rational(needed - error));
  }
  return worst;
}

TEST(CanonicalNoise, D_EPS_2_ShiftsUpToOneAreAsHardToTellAsTheClaimSays) {
  for (double epsilon : {0.25, 1.0}) {
    for (double delta : {0.0, 1e-3, 0.2}) {
      for (double m : {0.3, 1.0}) {
        EXPECT_LE(worst_gap(noise_of(epsilon, delta), epsilon, delta, m), Rational(1, 1000000000))
            << epsilon << ' ' << delta << ' ' << m;
      }
    }
  }
}

TEST(CanonicalNoise, D_EPS_2_TheCheckRejectsALongerShiftAndALargerLoss) {
  EXPECT_GT(worst_gap(noise_of(1, 1e-3), 1, 1e-3, 1.1), Rational(1, 1000));
  EXPECT_GT(worst_gap(noise_of(1.05, 1e-3), 1, 1e-3, 1), Rational(1, 1000));
}

// The Kolmogorov-Smirnov statistic of 5000 draws.
double distance(double epsilon, double delta, double law_epsilon) {
  ReplayedBits bits(59);
  const CanonicalNoise noise = noise_of(epsilon, delta);
  std::vector<double> draws(5000);
  for (double& draw : draws) draw = noise.add_to(3, Rational(1, 2), bits);
  std::sort(draws.begin(), draws.end());
  double worst = 0;
  for (std::size_t i = 0; i < draws.size(); ++i) {
    const double p = truncated_cdf((draws[i] - 3) * 2, law_epsilon, delta);
    worst =
        std::max({worst, p - static_cast<double>(i) / 5000, static_cast<double>(i + 1) / 5000 - p});
  }
  return worst;
}

TEST(CanonicalNoise, D_SAM_2_DrawsHaveTheirLaw) {
  constexpr double kCritical = 0.038051617888080105;  // one false alarm in a million
  for (double delta : test::in_tier<std::vector<double>>({0.0, 0.1}, {0.0, 1e-6, 0.1})) {
    EXPECT_LT(distance(1, delta, 1), kCritical) << delta;
    EXPECT_LT(distance(0.05, delta, 0.05), kCritical) << delta;
  }
  EXPECT_GT(distance(1, 1e-6, 1.5), kCritical);
}

TEST(CanonicalNoise, ReadsOnUntilTheDoubleIsKnown) {
  // The first word puts the sum near a tie between two doubles, so the second decides.
  const CanonicalNoise noise = noise_of(1, 0.5);
  RecordedBits even({std::uint64_t{1} << 63, 1, 0, 0});
  const Rational x = Rational(1) + Rational(1, Integer(1) << 53);  // halfway
  EXPECT_GE(noise.add_to(x, Rational(1, Integer(1) << 60), even), 1);
  EXPECT_GT(even.used(), 1u);
  // At the ends of an unbounded law, nothing is known until the first set bit.
  RecordedBits zeros({0, 0, 5, 7, 9});
  EXPECT_LT(noise_of(1, 0).add_to(0, 1, zeros), -80);
  EXPECT_GT(zeros.used(), 2u);
}

// At the ends, a delta below the last bit of the recursion acts like zero.
TEST(CanonicalNoise, D_SAM_3_TheEndsOfALawOfTinyDeltaAreReached) {
  for (const double delta : {1e-300, 1e-80, 1e-30}) {
    RecordedBits low({0, 5, 7, 9, 11, 13});
    RecordedBits high({~std::uint64_t{0}, ~std::uint64_t{5}, 7, 9, 11, 13});
    EXPECT_LT(noise_of(1, delta).add_to(0, 1, low), -40) << delta;
    EXPECT_GT(noise_of(1, delta).add_to(0, 1, high), 40) << delta;
  }
}

}  // namespace
}  // namespace dp::canonical_noise_test
