#include "core/accounting/account.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/expect_error.h"

namespace dp::test::account_test {
namespace {

// Charge for a release that was calibrated to `asked`.
bool charge_all_of(Account& account, double asked, double delta = 0) {
  return account.charge({cost_within(within_decimal(asked), decimal_of(asked)),
                         cost_within(within_decimal(delta), decimal_of(delta))});
}

TEST(Account, DecimalsFillATotalThatTheirDoublesWouldExceed) {
  for (const auto& [each, times] : {std::pair{0.1, 10}, {0.2, 5}, {0.05, 20}, {1.0 / 3, 3}}) {
    Account account(1, 0);
    for (int i = 0; i < times; ++i) EXPECT_TRUE(charge_all_of(account, each)) << each;
    EXPECT_FALSE(charge_all_of(account, each));
    EXPECT_FALSE(charge_all_of(account, 1e-12));
  }
  EXPECT_GT(5 * exact_rational(0.2), 1);
}

TEST(Account, WhatWasFilledLeavesNothing) {
  Account account(1, 1e-6);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(charge_all_of(account, 0.1, 1e-7));
  EXPECT_EQ(account.left().loss, 0);
  EXPECT_EQ(account.left().delta, 0);
  EXPECT_EQ(account.spent().loss, 1);
}

TEST(Account, ACostIsAtLeastWhatTheMapSays) {
  for (double loss : {1e-300, 3e-9, 0.1, 0.3, 1.0 / 3, 0.7071067811865476, 123456.789, 0x1p-1074}) {
    const Rational cost = cost_within(loss, Rational(1000000));
    EXPECT_GE(cost, exact_rational(loss));
    EXPECT_LE(cost, exact_rational(loss) * (1 + Rational(1, 100000000000000)));
  }
  EXPECT_EQ(cost_within(0, Rational(1)), 0);
}

TEST(Account, RefusesWithoutAChange) {
  Account account(0.5, 1e-7);
  EXPECT_TRUE(charge_all_of(account, 0.3, 1e-8));
  EXPECT_FALSE(charge_all_of(account, 0.3, 0));
  EXPECT_FALSE(charge_all_of(account, 0.1, 1e-6));
  EXPECT_EQ(account.spent().loss, Rational(3, 10));
  EXPECT_EQ(account.left().loss, Rational(2, 10));
  EXPECT_TRUE(charge_all_of(account, 0.2, 9e-8));
}

TEST(Account, RefusesWhatIsNoLossOrMoreThanWasAskedFor) {
  for (double wrong : {-1.0, std::nan(""), HUGE_VAL}) {
    expect_error(ErrorKind::invalid_distance, [&] { Account(wrong, 0); });
    expect_error(ErrorKind::invalid_distance, [&] { Account(1, wrong); });
    expect_error(ErrorKind::invalid_distance, [&] { cost_within(wrong, Rational(1)); });
  }
  // The double nearest to 0.2 is above 0.2.
  expect_error(ErrorKind::invalid_distance, [&] { cost_within(0.2, decimal_of(0.2)); });
  expect_error(ErrorKind::invalid_distance, [&] { cost_within(1e-9, Rational(0)); });
}

TEST(Account, AnExactLossIsChargedAsItIs) {
  Account account(1, 0);
  const Rational third(1, 3);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(account.charge(AdditiveLoss{third, 0}));
  EXPECT_EQ(account.left().loss, 0);
  EXPECT_FALSE(account.charge(AdditiveLoss{Rational(1, Integer(1) << 200), 0}));
  EXPECT_FALSE(account.charge(AdditiveLoss{0, Rational(1, 2)}));
  EXPECT_EQ(account.spent().loss, 1);
  expect_error(ErrorKind::invalid_distance, [&] { account.charge(AdditiveLoss{-third, 0}); });
  expect_error(ErrorKind::invalid_distance, [&] { account.charge(AdditiveLoss{0, -third}); });
}

TEST(Account, WithinADecimalIsTheGreatestDoubleThatIs) {
  for (double x : {0.1, 0.2, 0.3, 1.0, 1e-7, 5e-324, 0.0, 1.0 / 3, 1e22, 1e23}) {
    const double within = within_decimal(x);
    EXPECT_LE(exact_rational(within), decimal_of(x));
    EXPECT_GT(exact_rational(std::nextafter(within, HUGE_VAL)), decimal_of(x));
  }
}

TEST(Account, ADecimalOfNoLossIsRefused) {
  for (const double x : {std::nan(""), HUGE_VAL, -HUGE_VAL, -1.0}) {
    expect_error(ErrorKind::invalid_distance, [&] { decimal_of(x); });
    expect_error(ErrorKind::invalid_distance, [&] { within_decimal(x); });
  }
}

}  // namespace
}  // namespace dp::test::account_test
