#include "core/ledger/amount.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/numeric/rational.h"
#include "support/expect_error.h"

namespace dp::test::amount_test {
namespace {

Amount up(double x) { return Amount::at_least(exact_rational(x)); }
Amount down(double x) { return Amount::at_most(exact_rational(x)); }

TEST(Amount, IsTheExactDecimalOfADouble) {
  EXPECT_EQ(up(0.1).text(), "0.1000000000000000055511151231257827021181583404541015625");
  EXPECT_EQ(up(0.5).text(), "0.5");
  EXPECT_EQ(up(0).text(), "0");
  EXPECT_EQ(up(12).text(), "12");
  EXPECT_EQ(up(1e22).text(), "10000000000000000000000");
  for (const double x : {0.0, 0.1, 1e-9, 1.0 / 3, 1e29, 0.75}) {
    EXPECT_EQ(up(x), down(x));
    EXPECT_EQ(up(x).up(), x);
    EXPECT_EQ(up(x).down(), x);
  }
}

TEST(Amount, RoundsTinyNumbersUpIfSpentAndDownIfGranted) {
  const std::string least = "0." + std::string(99, '0') + "1";
  EXPECT_EQ(up(5e-324).text(), least);
  EXPECT_EQ(down(5e-324).text(), "0");
  EXPECT_GE(up(1e-80 / 3).up(), 1e-80 / 3);
  EXPECT_LE(down(1e-80 / 3).down(), 1e-80 / 3);
  EXPECT_FALSE(up(1e-80 / 3) == down(1e-80 / 3));
}

TEST(Amount, SumsAreExactWhateverTheirOrder) {
  Amount ten;
  for (int i = 0; i < 10; ++i) ten = ten + up(0.1);
  EXPECT_FALSE(ten <= up(1));  // the double 0.1 is slightly above a tenth
  EXPECT_EQ(ten.minus(up(1)).text(), "0.000000000000000055511151231257827021181583404541015625");
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    Rational exact = 0;
    Amount sum;
    for (int i = 0; i < 50; ++i) {
      const double x = std::ldexp(static_cast<double>(random() >> 11), -60);
      exact += exact_rational(x);
      sum = sum + up(x);
    }
    EXPECT_EQ(sum, Amount::at_least(exact));
    EXPECT_EQ(sum, Amount::at_most(exact));
    EXPECT_EQ(Amount::parse(sum.text()), sum);
  }
}

TEST(Amount, WhatIsLeftIsNeverNegative) {
  EXPECT_EQ(up(0.5).minus(up(0.75)).text(), "0");
  EXPECT_EQ(up(0.75).minus(up(0.5)).text(), "0.25");
}

TEST(Amount, D_LED_6_HasOneSpelling) {
  for (const char* text : {"0", "0.05", "12", "1.5", "999999999999999999999999999999"}) {
    ASSERT_TRUE(Amount::parse(text)) << text;
    EXPECT_EQ(Amount::parse(text)->text(), text);
  }
  const std::string long_tail = "0." + std::string(100, '1');
  EXPECT_EQ(Amount::parse(long_tail)->text(), long_tail);
  for (const std::string text :
       {"",    ".",     ".5",    "5.",     "0.50",
        "00",  "01",    "-1",    "-0",     "+1",
        "1e3", "1e400", "NaN",   "inf",    "0,5",
        " 1",  "1 ",    "1.2.3", "0x1p-3", "1000000000000000000000000000000"}) {
    EXPECT_FALSE(Amount::parse(text)) << text;
  }
  EXPECT_FALSE(Amount::parse(long_tail + "1"));
}

TEST(Amount, IsReadInSevenDigitsThatNeverFlatter) {
  const auto up_and_down = [](const char* text) {
    const Amount amount = *Amount::parse(text);
    return amount.words_up() + " " + amount.words_down();
  };
  EXPECT_EQ(up_and_down("0"), "0 0");
  EXPECT_EQ(up_and_down("0.25"), "0.25 0.25");
  EXPECT_EQ(up_and_down("12000000"), "12000000 12000000");
  EXPECT_EQ(up_and_down("0.10000000000000001"), "0.1000001 0.1");
  EXPECT_EQ(up_and_down("0.99999999"), "1 0.9999999");
  EXPECT_EQ(up_and_down("0.00001"), "0.00001 0.00001");
  EXPECT_EQ(up_and_down("0.000000001"), "1e-9 1e-9");
  EXPECT_EQ(up_and_down("0.00000000123456789"), "1.234568e-9 1.234567e-9");
}

TEST(Amount, IsNamedByItsShortestDecimal) {
  const auto shortest = [](const char* text) { return Amount::parse(text)->shortest(); };
  EXPECT_EQ(up(0.1).text().size(), 57);
  EXPECT_EQ(up(0.1).shortest(), "0.1");
  EXPECT_EQ(up(1e-9).shortest(), "1e-9");
  EXPECT_EQ(up(0.1 + 0.2).shortest(), "0.30000000000000004");
  EXPECT_EQ(up(123456789.1).shortest(), "123456789.1");
  EXPECT_EQ(shortest("0"), "0");
  EXPECT_EQ(shortest("0.3"), "0.3");
  EXPECT_EQ(shortest("0.12345678901234567"), "0.12345678901234567");
  // Not a double, and with more digits than anyone would write.
  EXPECT_EQ((up(0.1) + up(0.1) + up(0.1)).shortest(), "0.3000001");
  EXPECT_EQ(shortest("0.123456789012345678"), "0.1234568");
}

TEST(Amount, IsSummedExactlyAndRoundedUpOnce) {
  EXPECT_EQ(sum_up({}), 0);
  EXPECT_EQ(sum_up(std::vector<std::string>(10, "0.1")), 1);
  EXPECT_EQ(sum_up({"0.1", "0.2"}), std::nextafter(0.3, 1));
  EXPECT_EQ(sum_up({"0.75", "-0.5"}), 0.25);
  EXPECT_EQ(sum_up({"0.1", "-0.3"}), std::nextafter(-0.2, 0));
  for (const char* text : {"", "-", "--1", "1e3", "0.10"}) {
    expect_error(ErrorKind::ledger, [&] { sum_up({text}); });
  }
}

TEST(Amount, RefusesWhatHasNoRoom) {
  expect_error(ErrorKind::budget, [] { up(-0.1); });
  expect_error(ErrorKind::budget, [] { up(1e30); });
  const Amount most = *Amount::parse("999999999999999999999999999999");
  expect_error(ErrorKind::budget, [&] { most + up(1); });
}

}  // namespace
}  // namespace dp::test::amount_test
