#include "core/numeric/rational.h"

#include <gtest/gtest.h>

#include "core/numeric/limits.h"
#include "numeric/oracle.h"
#include "support/tier.h"

namespace dp::rational_test {
namespace {

using oracle::Mpfr;
using oracle::Words;

Integer any_integer(Words& words, unsigned most_bits) {
  Integer i = 0;
  for (unsigned at = 0; at < most_bits; at += 64) i = (i << 64) + words.next();
  i >>= words.below(most_bits);
  return words.below(2) == 0 ? i : Integer(-i);
}

// A positive or negative rational of any magnitude, or near a halfway point between two doubles.
Rational any_rational(Words& words) {
  if (words.below(2) == 0) {
    return Rational(any_integer(words, 512), abs(any_integer(words, 512)) + 1) *
           power_of_two(words.between(-1200, 1100));
  }
  const double x = oracle::any_finite<double>(words);
  const double next = std::nextafter(x, 0.0);
  const Rational halfway = (exact_rational(x) + exact_rational(next)) / 2;
  const int nudge = words.between(-1, 1);
  return halfway * (1 + nudge * power_of_two(-words.between(60, 300)));
}

template <class F>
void check_rounding(const Rational& q, F nearest, F up, F down) {
  // Rounding to nearest must see the exact value, or enough of it to exclude every halfway point.
  Mpfr exact(8192);
  oracle::set(exact, q, MPFR_RNDN);
  ASSERT_EQ(exact.to<F>(MPFR_RNDN), nearest) << q;
  oracle::set(exact, q, MPFR_RNDU);
  ASSERT_EQ(exact.to<F>(MPFR_RNDU), up) << q;
  oracle::set(exact, q, MPFR_RNDD);
  ASSERT_EQ(exact.to<F>(MPFR_RNDD), down) << q;
}

void check_both_formats(const Rational& q) {
  check_rounding<double>(q, to_double_nearest(q), to_double_up(q), to_double_down(q));
  check_rounding<float>(q, to_float_nearest(q), to_float_up(q), to_float_down(q));
}

TEST(Rational, D_SAM_4_RoundingToFloatingPointAgreesWithMpfr) {
  Words words(17);
  for (int i = 0; i < test::in_tier(7000, 20000); ++i) check_both_formats(any_rational(words));
  for (const double edge : oracle::edges<double>()) {
    for (const int nudge : {-1, 0, 1}) {
      check_both_formats(exact_rational(edge) + nudge * power_of_two(-1100));
      check_both_formats(exact_rational(edge) * (1 + nudge * power_of_two(-54)));
    }
  }
  for (const float edge : oracle::edges<float>()) {
    for (const int nudge : {-1, 0, 1}) {
      check_both_formats(exact_rational(edge) * (1 + nudge * power_of_two(-25)));
    }
  }
}

TEST(Rational, ExtremesSaturateOnTheirSide) {
  const Rational huge = power_of_two(5000);
  EXPECT_EQ(HUGE_VAL, to_double_up(huge));
  EXPECT_EQ(HUGE_VAL, to_double_nearest(huge));
  EXPECT_EQ(kMax<double>, to_double_down(huge));
  EXPECT_EQ(-kMax<double>, to_double_up(-huge));
  EXPECT_EQ(-HUGE_VAL, to_double_down(-huge));
  const Rational tiny = power_of_two(-5000);
  EXPECT_EQ(5e-324, to_double_up(tiny));
  EXPECT_EQ(0, to_double_nearest(tiny));
  EXPECT_EQ(-5e-324, to_double_down(-tiny));
  EXPECT_FALSE(std::signbit(to_double_up(-tiny)));
}

TEST(Rational, EveryFiniteNumberSurvivesTheRoundTrip) {
  Words words(23);
  for (int i = 0; i < 100000; ++i) {
    const double x = oracle::any_finite<double>(words);
    ASSERT_EQ(x, to_double_nearest(exact_rational(x)));
    const float f = oracle::any_finite<float>(words);
    ASSERT_EQ(f, to_float_nearest(exact_rational(f)));
  }
  for (const double x : oracle::edges<double>()) EXPECT_EQ(x, to_double_up(exact_rational(x)));
  for (const double bad : {HUGE_VAL, -HUGE_VAL, std::nan("")}) {
    EXPECT_THROW(exact_rational(bad), Error);
    EXPECT_THROW(exact_rational(static_cast<float>(bad)), Error);
  }
}

TEST(Rational, ScaledIntegersRoundOnceAlsoAmongSubnormals) {
  Words words(29);
  for (int i = 0; i < 50000; ++i) {
    const Integer n = any_integer(words, 256);
    const int k = i % 2 == 0 ? words.between(-1200, 1000) : words.between(-1140, -1060);
    const Rational exact = n * power_of_two(k);
    ASSERT_EQ(to_double_nearest(exact), scaled_to_double(n, k)) << n << " " << k;
    ASSERT_EQ(to_double_up(exact), scaled_to_double_up(n, k)) << n << " " << k;
    ASSERT_EQ(to_double_down(exact), scaled_to_double_down(n, k)) << n << " " << k;
    const int narrow = words.between(-300, 120);
    ASSERT_EQ(to_float_nearest(n * power_of_two(narrow)), scaled_to_float(n, narrow));
  }
  EXPECT_EQ(0, scaled_to_double(1, -1075));  // a tie, to even
  EXPECT_EQ(1e-323, scaled_to_double(3, -1075));
  EXPECT_EQ(5e-324, scaled_to_double((Integer(1) << 70) + 1, -1075 - 70));
  EXPECT_EQ(HUGE_VAL, scaled_to_double(1, 1024));
  EXPECT_EQ(-HUGE_VAL, scaled_to_double(-(Integer(1) << 54) + 1, 970));
  EXPECT_EQ(0, scaled_to_double(0, 2000000000));
  EXPECT_EQ(HUGE_VAL, scaled_to_double(1, 2000000000));
  EXPECT_FALSE(std::signbit(scaled_to_double(-1, -2000000000)));
}

TEST(Rational, ProductsThatAreNotInLowestTermsRoundOnce) {
  Words words(37);
  for (int i = 0; i < 50000; ++i) {
    const Integer n = any_integer(words, i % 2 == 0 ? 70 : 256);
    Rational unit(any_integer(words, 100), abs(any_integer(words, 100)) + 1);
    if (i % 4 == 0) unit *= power_of_two(words.between(-1200, 1000));
    ASSERT_EQ(to_double_nearest(n * unit), product_to_double(n, unit)) << n << " " << unit;
  }
  EXPECT_EQ(2 / 3.0, product_to_double(-6, Rational(-1, 9)));
  EXPECT_EQ(0x1p52, product_to_double((Integer(1) << 53) + 1, Rational(1, 2)));  // a tie, to even
  EXPECT_FALSE(std::signbit(product_to_double(0, -1)));
  EXPECT_FALSE(std::signbit(product_to_double(-1, power_of_two(-5000))));
}

TEST(Rational, FloorCeilingAndRoundingBracketTheirArgument) {
  Words words(31);
  for (int i = 0; i < 20000; ++i) {
    const Rational q(any_integer(words, 200), abs(any_integer(words, 100)) + 1);
    ASSERT_TRUE(floor(q) <= q && q < floor(q) + 1);
    ASSERT_TRUE(ceil(q) >= q && q > ceil(q) - 1);
    const Rational distance = round_half_up(q) - q;
    ASSERT_TRUE(distance <= Rational(1, 2) && distance > Rational(-1, 2));
  }
  EXPECT_EQ(1, round_half_up(Rational(1, 2)));
  EXPECT_EQ(0, round_half_up(Rational(-1, 2)));
  EXPECT_EQ(-1, round_half_up(Rational(-3, 2)));
  EXPECT_EQ(-7, floor(Rational(-7)));
  EXPECT_EQ(-7, ceil(Rational(-7)));
}

TEST(Rational, PowersOfTwo) {
  EXPECT_EQ(Rational(1, 8), power_of_two(-3));
  EXPECT_EQ(Rational(1), power_of_two(0));
  EXPECT_EQ(Rational(1024), power_of_two(10));
}

TEST(Rational, IntegersOf128BitsSurviveTheRoundTripAndOthersAreRefused) {
  for (const int128_t i : {kMin<int128_t>,
                           kMin<int128_t> + 1,
                           int128_t{-1},
                           int128_t{0},
                           int128_t{1} << 64,
                           kMax<int128_t>}) {
    EXPECT_TRUE(i == to_int128(to_integer(i)));
  }
  EXPECT_EQ(Integer(1) << 127, to_integer(kMax<int128_t>) + 1);
  EXPECT_FALSE(fits_int128(Integer(1) << 127));
  EXPECT_TRUE(fits_int128(-(Integer(1) << 127)));
  EXPECT_THROW(to_int128(Integer(1) << 127), Error);
  EXPECT_THROW(to_int128(-(Integer(1) << 127) - 1), Error);
}

}  // namespace
}  // namespace dp::rational_test
