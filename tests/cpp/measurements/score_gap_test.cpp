#include "core/measurements/score_gap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "support/scripted_bits.h"
#include "support/tier.h"

namespace dp::test::score_gap_test {
namespace {

template <class T>
void expect_enclosed(T a, T b, double scale) {
  const T more = a < b ? b : a, less = a < b ? a : b;
  const ExponentBounds bounds = exponent_bounds(more, less, scale);
  const Rational exact = exact_exponent(more, less, scale);
  EXPECT_LE(exact_rational(bounds.lower), exact);
  if (std::isfinite(bounds.upper)) {
    EXPECT_GE(exact_rational(bounds.upper), exact);
  }
  EXPECT_EQ(bounds.upper == 0, exact == 0);
}

// Any finite float, of any magnitude.
template <class T, class Bits>
T any_float(SplitMix& random) {
  for (;;) {
    const auto pattern = static_cast<Bits>(random());
    T x;
    std::memcpy(&x, &pattern, sizeof x);
    if (std::isfinite(x)) return x;
  }
}

double any_scale(SplitMix& random) {
  const double x = std::fabs(any_float<double, std::uint64_t>(random));
  return random() % 2 == 0 || x == 0 ? std::ldexp(1.1, static_cast<int>(random() % 80) - 40) : x;
}

TEST(ScoreExponent, D_FLT_3_BoundsHoldTheExactQuotientForFloatsOfAnyMagnitude) {
  SplitMix random(83);
  for (int i = 0; i < in_tier(6000, 20000); ++i) {
    const double scale = any_scale(random);
    const auto a = any_float<double, std::uint64_t>(random);
    expect_enclosed(a, any_float<double, std::uint64_t>(random), scale);
    expect_enclosed(a, std::nextafter(a, 0.0), scale);
    expect_enclosed(a, a * (1 + 0x1p-30), scale);
    expect_enclosed(
        any_float<float, std::uint32_t>(random), any_float<float, std::uint32_t>(random), scale);
  }
}

template <class T>
void expect_enclosed_integers(SplitMix& random) {
  for (int i = 0; i < 5000; ++i) {
    const auto a = static_cast<T>(random() >> (random() % 64));
    const auto b = random() % 2 == 0 ? static_cast<T>(random()) : static_cast<T>(a ^ 5);
    expect_enclosed(a, b, any_scale(random));
  }
  using Limits = std::numeric_limits<T>;
  expect_enclosed(Limits::min(), Limits::max(), 3.7);
  expect_enclosed(Limits::max(), static_cast<T>(Limits::max() - 1), 5e-324);
}

TEST(ScoreExponent, D_FLT_3_BoundsHoldTheExactQuotientForIntegers) {
  SplitMix random(89);
  expect_enclosed_integers<std::int8_t>(random);
  expect_enclosed_integers<std::uint32_t>(random);
  expect_enclosed_integers<std::int64_t>(random);
  expect_enclosed_integers<std::uint64_t>(random);
  expect_enclosed(kMin<int128_t>, kMax<int128_t>, 3.7);
  expect_enclosed(kMin<int128_t>, static_cast<int128_t>(12345), 1e20);
}

TEST(ScoreExponent, BoundsAreNarrow) {
  const ExponentBounds bounds = exponent_bounds(10.0, 3.0, 0.3);
  EXPECT_LE(bounds.upper - bounds.lower, 25 * 0x1p-48);
}

}  // namespace
}  // namespace dp::test::score_gap_test
