#include "core/numeric/lattice.h"

#include <gtest/gtest.h>

#include "core/numeric/rational.h"
#include "numeric/operands.h"

namespace dp::lattice_test {
namespace {

using oracle::Words;

Integer nearest_even(const Rational& q) {
  const Integer under = floor(q);
  const Rational rest = q - under;
  if (rest == Rational(1, 2)) return under % 2 == 0 ? under : Integer(under + 1);
  return rest < Rational(1, 2) ? under : Integer(under + 1);
}

double any_bound(Words& words) {
  return words.below(4) == 0
             ? oracle::any_finite<double>(words)
             : std::ldexp(static_cast<double>(words.below(2000000)), words.between(-20, 20));
}

TEST(Lattice, D_FLT_2_TheIndexIsTheNearestEvenStepAndMonotone) {
  Words words(61);
  for (int i = 0; i < 20000; ++i) {
    const double upper = std::fabs(any_bound(words));
    const double lower = i % 2 == 0 ? -upper : 0;
    const Lattice lattice = lattice_for(lower, upper);
    double v = upper * (static_cast<double>(words.next() >> 11) * 0x1p-53);
    if (i % 2 == 0 && words.below(2) == 0) v = -v;
    // Every third value is halfway between two steps, if that is a double.
    if (i % 3 == 0)
      v = std::ldexp(static_cast<double>(words.below(1 << 20)) + 0.5, lattice.exponent);
    if (v > upper) v = upper;
    const Rational steps = exact_rational(v) * power_of_two(-lattice.exponent);
    ASSERT_EQ(nearest_even(steps), Integer(lattice.index(v))) << v << " " << lattice.exponent;
    ASSERT_LE(std::abs(lattice.index(v)), std::int64_t{1} << 51);
    ASSERT_LE(lattice.index(v), lattice.index(upper));
    ASSERT_GE(lattice.index(v), lattice.index(lower));
  }
}

TEST(Lattice, TheStepIsTheFinestThatHoldsTheBounds) {
  EXPECT_EQ(3 - 51, lattice_for(-7, 4).exponent);
  EXPECT_EQ(4 - 51, lattice_for(0, 8).exponent);  // 8 < 2^4, strictly
  EXPECT_EQ(20 - 51, lattice_for(0, 750000).exponent);
  EXPECT_EQ(0, lattice_for(0, 0).exponent);
  EXPECT_EQ(0, lattice_for(-0.0, 0).exponent);
  EXPECT_EQ(1024 - 51, lattice_for(0, 1.7976931348623157e308).exponent);
  EXPECT_EQ(-1022, lattice_for(0, 5e-324).exponent);
  EXPECT_EQ(-1022, lattice_for(0, std::ldexp(1.0, -972)).exponent);
  EXPECT_EQ(-1021, lattice_for(0, std::ldexp(1.0, -971)).exponent);
}

TEST(Lattice, TheLargestBoundsKeepTheirPlace) {
  const double top = 1.7976931348623157e308;
  const Lattice lattice = lattice_for(-top, top);
  EXPECT_EQ(std::int64_t{1} << 51, lattice.index(top));
  EXPECT_EQ(-(std::int64_t{1} << 51), lattice.index(-top));
  EXPECT_EQ(0, lattice.index(5e-324));
  EXPECT_EQ(0, lattice.index(-0.0));
}

TEST(Lattice, IndicesOfAnythingAreDefined) {
  const Lattice lattice = lattice_for(0, 1);
  for (const double v : {std::nan(""), HUGE_VAL, -HUGE_VAL, 1e300}) {
    EXPECT_EQ(lattice.index(v), lattice.index(v));
  }
}

TEST(Lattice, BoundsMustBeFiniteAndOrdered) {
  const double nan = std::nan("");
  for (const auto& [lower, upper] :
       {std::pair{1.0, 0.0}, {nan, 1.0}, {0.0, nan}, {-HUGE_VAL, 0.0}, {0.0, HUGE_VAL}}) {
    EXPECT_FALSE(oracle::result_or_error(ErrorKind::make_domain, [l = lower, u = upper] {
                   return lattice_for(l, u).exponent;
                 }).has_value());
  }
}

TEST(Lattice, D_FLT_1_ValuesAreTheNearestDoubles) {
  Words words(67);
  for (int i = 0; i < 50000; ++i) {
    const Lattice lattice{words.between(-1022, 973)};
    const auto high = static_cast<std::int64_t>(words.next()) >> words.below(64);
    const int128_t index = static_cast<int128_t>(high) * (int128_t{1} << 63) + (words.next() >> 1);
    const int128_t narrow = index >> words.below(127);
    const double value = lattice.value(narrow);
    ASSERT_EQ(to_double_nearest(lattice.exact_value(narrow)), value);
    ASSERT_EQ(value, lattice.value(to_integer(narrow)));
  }
  EXPECT_FALSE(std::signbit(Lattice{-40}.value(int128_t{0})));
  EXPECT_EQ(Rational(3, 4), Lattice{-2}.exact_value(3));
}

}  // namespace
}  // namespace dp::lattice_test
