// Checks the claims of the maps against the exact laws of releases. noise_release_test (grid point
// plus one draw) and the sampler tests check that releases follow these laws.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/measurements/noise.h"
#include "measurements/noise_support.h"
#include "support/exact_laws.h"
#include "support/scripted_bits.h"

namespace dp::test::noise_law_test {
namespace {

// P[release = z] on a type with the limits `lowest` and `highest`, where the tails collect.
Wide saturated_mass(long z, long x, const Wide& scale, long lowest, long highest) {
  const Wide q = exp(-1 / scale);
  const auto tail = [&](long t) {  // P[Z >= t]
    return t > 0 ? Wide(pow(q, t) / (1 + q)) : Wide(1 - pow(q, 1 - t) / (1 + q));
  };
  if (z == highest) return tail(highest - x);
  if (z == lowest) return tail(x - lowest);
  return (1 - q) / (1 + q) * pow(q, std::labs(z - x));
}

// max over outputs of the whole type of ln(P[M(x) = z] / P[M(y) = z]), minus the claim.
template <class T>
Wide worst_excess(double law_scale, double claimed_scale, AtomType type) {
  constexpr long kLow = std::numeric_limits<T>::lowest();
  constexpr long kHigh = std::numeric_limits<T>::max();
  const Measurement noise = make_laplace(scalars(type), absolute_distance(type), claimed_scale);
  Wide worst = -1;
  for (long x : {kLow, kLow + 1, kLow + 40, kHigh - 7, kHigh}) {
    for (long y : {kLow, kLow + 41, kLow + 127, kHigh - 1, kHigh}) {
      if (std::labs(x - y) > kHigh) continue;  // not a distance of the type
      const Wide claim = loss(noise, static_cast<T>(std::labs(x - y)));
      for (long z = kLow; z <= kHigh; ++z) {
        const Wide ratio = log(saturated_mass(z, x, law_scale, kLow, kHigh) /
                               saturated_mass(z, y, law_scale, kLow, kHigh));
        worst = std::max(worst, Wide(ratio - claim));
      }
    }
  }
  return worst;
}

TEST(NoiseLaw, D_EPS_2_LaplaceOnAWholeTypeNeverExceedsItsClaim) {
  for (double scale : {0.3, 1.0, 7.25, 30.0}) {
    EXPECT_LE(worst_excess<std::int8_t>(scale, scale, AtomType::i8), slack()) << scale;
    EXPECT_LE(worst_excess<std::uint8_t>(scale, scale, AtomType::u8), slack()) << scale;
  }
}

TEST(NoiseLaw, D_EPS_2_TheCheckRejectsFivePercentLessNoise) {
  EXPECT_GT(worst_excess<std::int8_t>(0.95, 1, AtomType::i8), 0.01);
  EXPECT_GT(worst_excess<std::uint8_t>(28.5, 30, AtomType::u8), 0.0001);
}

double value_up(const Rational& q) {
  double nearest = static_cast<double>(q);
  while (Rational(nearest) < q) nearest = std::nextafter(nearest, HUGE_VAL);
  return nearest;
}

// On a grid the largest log-ratio of products of discrete Laplace laws is exactly
// sum |i_j - i'_j| / sigma. Returns how often a claim lies below it.
int grid_violations(bool with_relaxation) {
  SplitMix random(11);
  int violations = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const int k = static_cast<int>(random() % 8) - 4;
    const std::uint64_t n = 1 + random() % 4;
    const double scale = std::ldexp(1 + static_cast<double>(random() % 1000) / 999, k + 2);
    std::vector<double> x(n), y(n);
    Rational distance = 0;
    for (std::size_t i = 0; i < n; ++i) {
      // Halves of steps and their neighbours, where rounding jumps.
      x[i] = std::ldexp(static_cast<double>(random() % 64) - 32, k - 1);
      y[i] = random() % 2 == 0 ? std::nextafter(x[i], -100) : x[i] + std::ldexp(1, k - 1);
      distance += abs(Rational(x[i]) - Rational(y[i]));
    }
    const Metric l1 = l1_distance(AtomType::f64);
    const Measurement grid = make_laplace(vectors(AtomType::f64, n), l1, 0, k);
    const std::vector<double> to = release(grid, x), from = release(grid, y);
    Rational moved = 0;
    for (std::size_t i = 0; i < n; ++i) moved += abs(Rational(to[i]) - Rational(from[i]));
    const double d_in = value_up(distance);
    const double claim = with_relaxation
                             ? loss(make_laplace(vectors(AtomType::f64, n), l1, scale, k), d_in)
                             : value_up(Rational(d_in) / Rational(scale));
    violations += moved / Rational(scale) > Rational(claim) ? 1 : 0;
  }
  return violations;
}

TEST(NoiseLaw, D_EPS_2_RoundingToTheGridIsPaidFor) { EXPECT_EQ(grid_violations(true), 0); }

TEST(NoiseLaw, D_EPS_2_TheCheckRejectsAMapThatForgetsRounding) {
  EXPECT_GT(grid_violations(false), 100);
}

const double kOrders[] = {1.01, 2, 8, 64, 512};

// Largest D_alpha - alpha * claim over the orders.
Wide worst_renyi_excess(double law_scale, double claimed_scale, long shift) {
  const Measurement noise =
      make_gaussian(scalars(AtomType::i32), absolute_distance(AtomType::i32), claimed_scale);
  const Wide rho = loss(noise, static_cast<std::int32_t>(shift));
  const Law law = gaussian_law(law_scale);
  Wide worst = -1e9;
  for (double alpha : kOrders) {
    worst = std::max(worst, Wide(renyi_divergence_of(law, shift, alpha) - alpha * rho));
  }
  return worst;
}

TEST(NoiseLaw, D_EPS_2_GaussianKeepsItsClaimAtEveryOrder) {
  for (double sigma : {0.5, 1.0, 3.0}) {
    for (long shift : {1L, 2L}) {
      EXPECT_LE(worst_renyi_excess(sigma, sigma, shift), slack()) << sigma << ' ' << shift;
    }
  }
}

TEST(NoiseLaw, D_EPS_2_TheCheckRejectsOnePercentLessGaussianNoise) {
  EXPECT_GT(worst_renyi_excess(0.99, 1, 1), 0.001);
}

}  // namespace
}  // namespace dp::test::noise_law_test
