#include "core/numeric/approx.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "support/exact_laws.h"
#include "support/expect_error.h"

namespace dp::test::approx_test {
namespace {

constexpr double kUnit = 0x1p-53;

double off(double near, const Wide& exact) {
  return static_cast<double>(Wide(abs(Wide(near) - exact) / abs(exact)));
}

TEST(Near, ExponentialsKeepTheirBoundAtEveryMagnitude) {
  std::mt19937_64 random(1);
  for (double size : {1e-300, 1e-9, 0.3, 0.36, 1.0, 20.0, 700.0}) {
    for (int i = 0; i < 2000; ++i) {
      const double x = size * std::uniform_real_distribution<double>(-1, 1)(random);
      EXPECT_LE(off(exp_approx(x), exp(Wide(x))), 8 * kUnit) << x;
    }
  }
  EXPECT_EQ(exp_approx(0), 1);
  EXPECT_EQ(exp_approx(-1e300), exp_approx(-700));
  expect_error(ErrorKind::overflow, [] { exp_approx(700.1); });
  expect_error(ErrorKind::overflow, [] { exp_approx(std::nan("")); });
}

TEST(Near, GapsToOneKeepTheirBoundAlsoNearZero) {
  std::mt19937_64 random(2);
  for (double size : {1e-300, 1e-9, 0.3, 0.36, 1.0, 20.0, 700.0}) {
    for (int i = 0; i < 2000; ++i) {
      const double x = size * std::uniform_real_distribution<double>(0, 1)(random);
      if (x == 0) continue;
      EXPECT_LE(off(exp_gap_near(x), -expm1(Wide(-x))), 32 * kUnit) << x;
    }
  }
  EXPECT_EQ(exp_gap_near(0), 0);
}

TEST(Near, LogarithmsKeepTheirBoundAtEveryMagnitude) {
  std::mt19937_64 random(3);
  const auto expect_near = [](double x) {
    if (x == 0) return;
    EXPECT_LE(off(ln1p_near(x), log1p(Wide(x))), 16 * kUnit) << x;
  };
  for (double size : {1e-300, 1e-9, 0.28, 0.3, 0.4, 0.42, 1.0, 3.0, 1e9, 1e300}) {
    for (int i = 0; i < 2000; ++i) {
      const double x = std::uniform_real_distribution<double>(0, 1)(random);
      expect_near(size * x);
      expect_near(-std::min(size, 1.0) * x);
    }
  }
  for (const double x : {-0x1.fffffffffffffp-1, 0x1.fffffffffffffp1023, 0x1p-1074, -0.29, 0.41}) {
    expect_near(x);
  }
  EXPECT_EQ(ln1p_near(0), 0);
  for (const double x : {-1.0, -2.0, HUGE_VAL, std::nan("")}) {
    expect_error(ErrorKind::overflow, [x] { ln1p_near(x); });
  }
}

TEST(Near, LogarithmKeepsItsBoundAtEveryMagnitude) {
  std::mt19937_64 random(4);
  const auto expect_near = [](double x) {
    EXPECT_LE(off(ln_near(x), log(Wide(x))), 16 * kUnit) << x;
  };
  for (double size : {1e-320, 1e-300, 1e-9, 0.5, 1.0, 1.5, 2.0, 3.0, 1e9, 1e300}) {
    for (int i = 0; i < 2000; ++i) {
      expect_near(size * (0.5 + std::uniform_real_distribution<double>(0, 1)(random)));
    }
  }
  for (const double x : {0x1p-1074,
                         0x1.fffffffffffffp-1,
                         0x1.0000000000001p0,
                         0x1.6a09e6p-1,
                         0x1.6a09e8p-1,
                         0x1.fffffffffffffp1023}) {
    expect_near(x);
  }
  EXPECT_EQ(ln_near(1), 0);
  for (const double x : {0.0, -1.0, HUGE_VAL, std::nan("")}) {
    expect_error(ErrorKind::overflow, [x] { ln_near(x); });
  }
}

TEST(Near, RootsOfUnityKeepTheirBoundInEveryEighthOfTheCircle) {
  const Wide full = 2 * boost::math::constants::pi<Wide>();
  for (std::size_t n : {1u, 2u, 4u, 8u, 64u, 1u << 20}) {
    for (std::size_t k = 0; k < n; k += n / 64 + 1) {
      const std::complex<double> root = root_of_unity_near(k, n);
      const Wide angle = full * k / n;
      const Wide re = root.real() - cos(angle);
      const Wide im = root.imag() - sin(angle);
      EXPECT_LE(static_cast<double>(Wide(sqrt(re * re + im * im))), 8 * kUnit) << k << '/' << n;
    }
  }
}

}  // namespace
}  // namespace dp::test::approx_test
