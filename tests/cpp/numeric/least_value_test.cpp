#include "core/numeric/least_value.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "support/scripted_bits.h"

namespace dp::test::least_value_test {
namespace {

constexpr double kMost = std::numeric_limits<double>::max();

struct Found {
  std::optional<double> value;
  int judgements = 0;
};

// A rule with the cost of each value. Counts its calls.
template <class F>
Found search(Values values, F&& rule) {
  Found found;
  found.value = least_value(values, [&](double value) -> Taken {
    ++found.judgements;
    EXPECT_LE(found.judgements, kMostJudgements);
    return rule(value);
  });
  return found;
}

// A nonnegative double of any magnitude.
double some_double(SplitMix& random) {
  const std::uint64_t bits = random() % 0x7FF0000000000000;
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

TEST(LeastValue, FindsTheFirstThatIsWithinWithoutAnyGuidance) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  SplitMix random(1);
  for (int i = 0; i < 2000; ++i) {
    const double real = some_double(random);
    const auto reals = [&](double x) -> Taken { return {x >= real, nan}; };
    EXPECT_EQ(search(Values::reals, reals).value, real);
    const double whole = std::floor(std::ldexp(1.0, static_cast<int>(random() % 54)) * 0.7);
    const auto wholes = [&](double x) -> Taken { return {x >= whole, nan}; };
    EXPECT_EQ(search(Values::wholes, wholes).value, whole);
  }
  for (const double end : {0.0, 0x1p-1074, 1.0, std::nextafter(1.0, 2.0), kMost}) {
    const auto rule = [&](double x) -> Taken { return {x >= end, nan}; };
    EXPECT_EQ(search(Values::reals, rule).value, end);
  }
}

TEST(LeastValue, MisleadingSharesCostJudgementsAndNothingElse) {
  SplitMix random(2);
  for (int i = 0; i < 2000; ++i) {
    const double end = some_double(random);
    const auto rule = [&](double x) -> Taken { return {x >= end, some_double(random)}; };
    EXPECT_EQ(search(Values::reals, rule).value, end);
  }
}

TEST(LeastValue, AShareInInverseProportionNeedsAboutFourJudgements) {
  SplitMix random(3);
  int judgements = 0;
  for (int i = 0; i < 1000; ++i) {
    const double factor = std::ldexp(1 + static_cast<double>(random() >> 12) * 0x1p-52,
                                     static_cast<int>(random() % 200) - 100);
    const auto rule = [&](double x) -> Taken { return {factor / x <= 1, factor / x}; };
    const Found found = search(Values::reals, rule);
    EXPECT_EQ(found.value, factor);
    judgements += found.judgements;
  }
  EXPECT_LE(judgements, 4500);
}

TEST(LeastValue, ACurvedShareNeedsNoMoreThanTwenty) {
  for (const double target : {0.01, 0.5, 1.0, 3.0}) {
    const auto rule = [&](double x) -> Taken {
      const double loss = 0.5 / (x * x) + 6 / x;
      return {loss <= target, loss / target};
    };
    const Found found = search(Values::reals, rule);
    ASSERT_TRUE(found.value);
    EXPECT_TRUE(rule(*found.value).within);
    EXPECT_FALSE(rule(std::nextafter(*found.value, 0)).within);
    EXPECT_LE(found.judgements, 20);
  }
}

TEST(LeastValue, AnExponentialShareOfWholeValuesNeedsNoMoreThanTen) {
  for (const double rate : {1e-4, 0.01, 0.5, 3.0}) {
    for (const double target : {0.1, 1e-6, 1e-12}) {
      const auto rule = [&](double x) -> Taken {
        const double one = std::exp(-rate * x) / (1 + std::exp(-rate));
        const double tail = -std::expm1(2 * std::log1p(-one));
        return {tail <= target, tail / target};
      };
      const Found found = search(Values::wholes, rule);
      ASSERT_TRUE(found.value);
      EXPECT_TRUE(rule(*found.value).within);
      EXPECT_FALSE(rule(*found.value - 1).within);
      EXPECT_LE(found.judgements, 10) << rate << " " << target;
    }
  }
}

TEST(LeastValue, NothingIsFoundWhereEvenTheLargestIsTooSmall) {
  for (const Values values : {Values::reals, Values::wholes}) {
    for (const double share : {2.0, std::numeric_limits<double>::infinity()}) {
      EXPECT_FALSE(search(values, [&](double) -> Taken { return {false, share}; }).value);
    }
    EXPECT_EQ(search(values, [](double) -> Taken { return {true, 0}; }).value, 0);
  }
}

}  // namespace
}  // namespace dp::test::least_value_test
