#include "core/numeric/cast.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "core/numeric/rational.h"
#include "numeric/operands.h"

namespace dp::cast_test {
namespace {

using oracle::Words;

template <class Function>
auto cast_or_nothing(Function f) {
  return oracle::result_or_error(ErrorKind::failed_cast, f);
}

TEST(ExactCast, IntegersPassWithinTheRangeOfTheTarget) {
  EXPECT_EQ(255, exact_cast<std::uint8_t>(255));
  EXPECT_THROW(exact_cast<std::uint8_t>(256), Error);
  EXPECT_THROW(exact_cast<std::uint8_t>(-1), Error);
  EXPECT_EQ(-128, exact_cast<std::int8_t>(std::int64_t{-128}));
  EXPECT_THROW(exact_cast<std::int64_t>(kMax<std::uint64_t>), Error);
  EXPECT_THROW(exact_cast<std::uint64_t>(std::int64_t{-1}), Error);
  EXPECT_EQ(kMax<std::uint64_t>,
            exact_cast<std::uint64_t>(static_cast<int128_t>(kMax<std::uint64_t>)));
  EXPECT_EQ(7, exact_cast<int>(7));
}

TEST(ExactCast, FloatsTakeIntegersUpToTheirLastConsecutiveOne) {
  const std::int64_t limit = std::int64_t{1} << 53;
  EXPECT_EQ(0x1p53 - 1, exact_cast<double>(limit - 1));
  EXPECT_EQ(-0x1p53, exact_cast<double>(-limit));
  EXPECT_EQ(0x1p53, exact_cast<double>(limit));
  EXPECT_THROW(exact_cast<double>(limit + 1), Error);
  EXPECT_THROW(exact_cast<double>(-limit - 1), Error);
  EXPECT_EQ(4294967295.0, exact_cast<double>(kMax<std::uint32_t>));
  EXPECT_EQ(16777215.0F, exact_cast<float>((1 << 24) - 1));
  EXPECT_EQ(-16777216.0F, exact_cast<float>(-(1 << 24)));
  EXPECT_EQ(16777216.0F, exact_cast<float>(1 << 24));
  EXPECT_THROW(exact_cast<float>((1 << 24) + 1), Error);
  EXPECT_EQ(65535.0F, exact_cast<float>(kMax<std::uint16_t>));
  EXPECT_EQ(static_cast<double>(0.1F), exact_cast<double>(0.1F));
  EXPECT_EQ(0x1p53, kMaxConsecutive<double>);
  EXPECT_EQ(0x1p24F, kMaxConsecutive<float>);
  EXPECT_EQ(127, kMaxConsecutive<std::int8_t>);
}

TEST(WholeNumber, IsWhatADoubleHoldsIfAllUpToItAreDoubles) {
  for (const double x : {0.0, -0.0, 1.0, -7.0, 0x1p53, -0x1p53, 0x1p53 - 1}) {
    ASSERT_TRUE(whole_number(x)) << x;
    EXPECT_EQ(static_cast<double>(*whole_number(x)), x);
  }
  for (const double x : {0.5, -1e-300, 0x1p53 + 2, -0x1p53 - 2, 0x1p64, HUGE_VAL, std::nan("")}) {
    EXPECT_FALSE(whole_number(x)) << x;
  }
}

template <class TO, class FROM>
void check_directed(FROM x, const Rational& exact) {
  const auto up = cast_up<TO>(x), down = cast_down<TO>(x);
  if constexpr (std::is_same_v<TO, double>) {
    ASSERT_EQ(to_double_up(exact), up);
    ASSERT_EQ(to_double_down(exact), down);
  } else {
    ASSERT_EQ(to_float_up(exact), up);
    ASSERT_EQ(to_float_down(exact), down);
  }
}

TEST(DirectedCast, D_FLT_3_NumbersToFloatsAreCorrectlyRounded) {
  Words words(71);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t word = words.next() >> words.below(64);
    const auto wide = static_cast<int128_t>((static_cast<uint128_t>(words.next()) << 64) | word) >>
                      words.below(127);
    check_directed<double>(word, Rational(word));
    check_directed<float>(word, Rational(word));
    check_directed<double>(static_cast<std::int64_t>(word),
                           Rational(static_cast<std::int64_t>(word)));
    check_directed<float>(static_cast<std::int32_t>(word),
                          Rational(static_cast<std::int32_t>(word)));
    check_directed<double>(wide, Rational(to_integer(wide)));
    check_directed<float>(wide, Rational(to_integer(wide)));
    const double x = oracle::any_finite<double>(words);
    check_directed<float>(x, exact_rational(x));
    check_directed<double>(x, exact_rational(x));
  }
  for (const auto edge :
       {kMax<std::uint64_t>, std::uint64_t{1} << 63, (std::uint64_t{1} << 53) + 1}) {
    check_directed<double>(edge, Rational(edge));
    check_directed<float>(edge, Rational(edge));
  }
  check_directed<double>(kMax<int128_t>, Rational(to_integer(kMax<int128_t>)));
  check_directed<float>(kMin<int128_t>, Rational(to_integer(kMin<int128_t>)));
  EXPECT_EQ(16777218.0F, cast_up<float>(std::uint32_t{16777217}));
  EXPECT_EQ(HUGE_VALF, cast_up<float>(1e300));
  EXPECT_EQ(kMax<float>, cast_down<float>(1e300));
  EXPECT_EQ(HUGE_VALF, cast_up<float>(HUGE_VAL));
  EXPECT_EQ(HUGE_VALF, cast_down<float>(HUGE_VAL));
}

TEST(DirectedCast, FloatsToIntegersTakeTheCeilingOrFloorWithinRange) {
  EXPECT_EQ(3, cast_up<std::int32_t>(2.1));
  EXPECT_EQ(2, cast_down<std::int32_t>(2.9));
  EXPECT_EQ(-2, cast_up<std::int8_t>(-2.9));
  EXPECT_EQ(0U, cast_up<std::uint32_t>(-0.9));
  EXPECT_EQ(255, cast_up<std::uint8_t>(254.5F));
  EXPECT_EQ(kMin<std::int64_t>, cast_up<std::int64_t>(-0x1p63));
  const auto fails = [](double x) {
    return !cast_or_nothing([&] { return cast_up<std::int64_t>(x); }).has_value();
  };
  EXPECT_TRUE(fails(0x1p63));
  EXPECT_TRUE(fails(std::nan("")));
  EXPECT_TRUE(fails(HUGE_VAL));
  EXPECT_THROW(cast_up<std::uint8_t>(255.1), Error);
  EXPECT_THROW(cast_down<std::uint8_t>(-0.1), Error);
  EXPECT_THROW(cast_up<float>(std::nan("")), Error);
  EXPECT_THROW(cast_up<std::uint8_t>(256), Error);
  EXPECT_EQ(200, cast_down<std::uint8_t>(200));
}

TEST(RoundCast, NumbersToNumbers) {
  EXPECT_EQ(7, round_cast<std::int32_t>(std::int64_t{7}));
  EXPECT_EQ(std::nullopt, round_cast<std::int32_t>(std::int64_t{1} << 31));
  EXPECT_EQ(std::nullopt, round_cast<std::uint64_t>(-1));
  EXPECT_EQ(1, round_cast<std::int64_t>(1.0));
  EXPECT_EQ(10000000000, round_cast<std::int64_t>(1e10));
  EXPECT_EQ(0, round_cast<std::int64_t>(0.5));
  EXPECT_EQ(-1, round_cast<std::int64_t>(-1.9));
  EXPECT_EQ(std::uint8_t{0}, round_cast<std::uint8_t>(-0.9));
  for (const double x : {std::nan(""), HUGE_VAL, -HUGE_VAL, -1.0, 256.0}) {
    EXPECT_EQ(std::nullopt, round_cast<std::uint8_t>(x)) << x;
  }
  EXPECT_EQ(std::uint8_t{255}, round_cast<std::uint8_t>(255.9));
  EXPECT_EQ(std::nullopt, round_cast<std::int64_t>(0x1p63));
  EXPECT_EQ(kMin<std::int64_t>, round_cast<std::int64_t>(-0x1p63));
  EXPECT_EQ(std::nullopt, round_cast<std::uint64_t>(0x1p64F));
  EXPECT_EQ(0x1p53, round_cast<double>((std::int64_t{1} << 53) + 1));      // tie, to even
  EXPECT_EQ(0x1p53 + 4, round_cast<double>((std::int64_t{1} << 53) + 3));  // tie, to even
  EXPECT_EQ(0.1F, round_cast<float>(0.1));
  EXPECT_EQ(HUGE_VALF, round_cast<float>(1e300));
  EXPECT_TRUE(std::isnan(*round_cast<float>(std::nan(""))));
  EXPECT_TRUE(std::isnan(*round_cast<double>(std::nan(""))));
  EXPECT_EQ(static_cast<double>(0.1F), round_cast<double>(0.1F));
}

TEST(RoundCast, Booleans) {
  EXPECT_EQ(true, round_cast<bool>(2));
  EXPECT_EQ(false, round_cast<bool>(0));
  EXPECT_EQ(true, round_cast<bool>(std::nan("")));
  EXPECT_EQ(false, round_cast<bool>(-0.0));
  EXPECT_EQ(true, round_cast<bool>(true));
  EXPECT_EQ(1, round_cast<std::int32_t>(true));
  EXPECT_EQ(0.0, round_cast<double>(false));
  EXPECT_EQ("true", round_cast<std::string>(true));
  EXPECT_EQ("false", round_cast<std::string>(false));
  EXPECT_EQ(true, round_cast<bool>(std::string_view("false")));
  EXPECT_EQ(false, round_cast<bool>(std::string()));
}

TEST(RoundCast, Text) {
  EXPECT_EQ("abc", round_cast<std::string>(std::string("abc")));
  EXPECT_EQ("abc", round_cast<std::string>(std::string_view("abc")));
  EXPECT_EQ(12, round_cast<std::int32_t>(std::string_view("12")));
  EXPECT_EQ(1.5, round_cast<double>(std::string("1.5")));
  EXPECT_EQ(std::nullopt, round_cast<double>(std::string_view("abc")));
  EXPECT_EQ("-3", round_cast<std::string>(std::int8_t{-3}));
  EXPECT_EQ("0.1", round_cast<std::string>(0.1));
}

}  // namespace
}  // namespace dp::cast_test
