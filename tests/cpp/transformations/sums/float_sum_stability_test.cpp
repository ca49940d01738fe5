#include "core/transformations/sums/float_sum_stability.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/numeric/limits.h"
#include "core/numeric/rational.h"
#include "support/expect_error.h"
#include "support/neighbours.h"

namespace dp::test::float_sum_stability_test {
namespace {

TEST(FloatSumStability, ReadsSummations) {
  const Summation pairwise = parse_summation("Pairwise<f64>");
  EXPECT_EQ(pairwise.order, SumOrder::pairwise);
  EXPECT_EQ(pairwise.type, AtomType::f64);
  const Summation sequential = parse_summation("Sequential<f32>");
  EXPECT_EQ(sequential.order, SumOrder::sequential);
  EXPECT_EQ(sequential.type, AtomType::f32);
  for (const char* text : {"Pairwise<i32>", "Kahan<f64>", "pairwise<f64>"}) {
    expect_error(ErrorKind::type, [&] { parse_summation(text); });
  }
  for (const char* text : {"", "Pairwise", "Pairwise<>", "Pairwise<f65>", "Pairwise<f64"}) {
    expect_error(ErrorKind::type_parse, [&] { parse_summation(text); });
  }
}

// Twice the error bound in exact arithmetic. n is a power of two, so log2 n is rational.
template <class T>
Rational exact_relaxation(SumOrder order, int log2_n, T mag) {
  const int mantissa = std::numeric_limits<T>::digits - 1;
  const Rational n = power_of_two(log2_n);
  const Rational m = exact_rational(mag);
  if (order == SumOrder::sequential) return 2 * n * n * power_of_two(-mantissa) * m;
  const Rational unit = log2_n * power_of_two(-mantissa);
  return 2 * unit / (1 - unit) * n * m;
}

template <class T>
void expect_barely_above(SumOrder order, int log2_n, T lower, T upper) {
  const T mag = std::max(std::fabs(lower), upper);
  const Rational truth = exact_relaxation(order, log2_n, mag);
  const Rational got =
      exact_rational(sum_relaxation(order, std::uint64_t{1} << log2_n, lower, upper));
  EXPECT_GE(got, truth);
  EXPECT_LE(got - truth, truth * 8 * exact_rational(std::numeric_limits<T>::epsilon()));
}

TEST(FloatSumStability, D_FLT_3_RelaxationIsRoundedUpAndNoMoreThanAFewUlps) {
  TestRandom random(1);
  for (int i = 0; i < 2000; ++i) {
    const SumOrder order = random.below(2) == 0 ? SumOrder::pairwise : SumOrder::sequential;
    const double a = std::ldexp(random.unit() - 0.5, static_cast<int>(random.below(200)));
    const double b = std::ldexp(random.unit() - 0.5, static_cast<int>(random.below(200)));
    expect_barely_above(order, static_cast<int>(random.below(40)), std::min(a, b), std::max(a, b));
    const float c = static_cast<float>(random.unit() - 0.5);
    expect_barely_above(order, static_cast<int>(random.below(18)), c, c + 3);
  }
}

TEST(FloatSumStability, D_FLT_3_RelaxationGrowsWithTheNumberOfRows) {
  for (const SumOrder order : {SumOrder::pairwise, SumOrder::sequential}) {
    double last = 0;
    for (std::uint64_t n = 1; n < 5000; ++n) {
      const double now = sum_relaxation(order, n, -1.0, 2.0);
      EXPECT_GE(now, last);
      last = now;
    }
  }
}

TEST(FloatSumStability, WhatCannotOverflowDoesNot) {
  // Rows at the largest magnitude that passes, for each number of rows.
  for (const SumOrder order : {SumOrder::pairwise, SumOrder::sequential}) {
    for (const std::uint64_t n : {1, 2, 3, 5, 8, 100, 1000, 4096}) {
      double low = 1;
      double high = kMax<double> / 4;
      ASSERT_FALSE(float_sum_can_overflow(order, n, 0.0, low));
      for (int i = 0; i < 1100; ++i) {
        const double middle =
            low < high / 2 ? std::sqrt(low) * std::sqrt(high) : low + (high - low) / 2;
        (float_sum_can_overflow(order, n, 0.0, middle) ? high : low) = middle;
      }
      double sum = 0;
      for (std::uint64_t i = 0; i < n; ++i) sum += low;
      EXPECT_TRUE(std::isfinite(sum)) << n;
      EXPECT_TRUE(n < 8 || float_sum_can_overflow(order, n, -high, 0.0)) << n;
    }
  }
}

TEST(FloatSumStability, RefusesBoundsPastTheLastPowerOfTwo) {
  expect_error(ErrorKind::overflow,
               [] { float_sum_can_overflow(SumOrder::pairwise, 1, 0.0, 1.7e308); });
  expect_error(ErrorKind::failed_function,
               [] { float_sum_can_overflow(SumOrder::pairwise, 1, 0.0, std::nan("")); });
  expect_error(ErrorKind::overflow,
               [] { float_sum_can_overflow(SumOrder::pairwise, 0, 0.0, 1.0); });
  EXPECT_FALSE(float_sum_can_overflow(SumOrder::sequential, 0, 0.0, 1.0));
}

}  // namespace
}  // namespace dp::test::float_sum_stability_test
