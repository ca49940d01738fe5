#include "core/accounting/budget.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/expect_error.h"

namespace dp::test::budget_test {
namespace {

Distance pair(double inner, double delta) { return Distance::Tuple{Scalar(inner), Scalar(delta)}; }

TEST(Budget, ALossIsWithinItIfNoPartIsMore) {
  EXPECT_TRUE(is_within(Scalar(1.0), Scalar(1.0)));
  EXPECT_FALSE(is_within(Scalar(std::nextafter(1.0, 2.0)), Scalar(1.0)));
  EXPECT_TRUE(is_within(pair(1, 1e-6), pair(1, 1e-6)));
  EXPECT_TRUE(is_within(pair(0, 0), pair(1, 1e-6)));
}

TEST(Budget, WhatCannotBeComparedIsNotWithinIt) {
  EXPECT_FALSE(is_within(pair(0.5, 1e-5), pair(1, 1e-6)));
  EXPECT_FALSE(is_within(pair(2, 0), pair(1, 1e-6)));
  EXPECT_FALSE(is_within(Scalar(std::nan("")), Scalar(1.0)));
  EXPECT_FALSE(is_within(Scalar(1.0), Scalar(std::nan(""))));
  expect_error(ErrorKind::failed_cast, [] { is_within(Scalar(1.0), pair(1, 0)); });
}

TEST(Budget, RefusesWhatIsNoLoss) {
  EXPECT_NO_THROW(check_budget(max_divergence(), Scalar(0.0)));
  EXPECT_NO_THROW(check_budget(approximate(max_divergence()), pair(1, 0)));
  expect_error(ErrorKind::failed_map, [] { check_budget(max_divergence(), Scalar(-1.0)); });
  expect_error(ErrorKind::failed_map, [] { check_budget(max_divergence(), Scalar(std::nan(""))); });
  for (double wrong : {-1.0, std::nan("")}) {
    const Measure pairs = approximate(max_divergence());
    expect_error(ErrorKind::failed_map, [&] { check_budget(pairs, pair(wrong, 0)); });
    expect_error(ErrorKind::failed_map, [&] { check_budget(pairs, pair(0, wrong)); });
  }
  EXPECT_NO_THROW(check_budget(max_divergence(), Scalar(HUGE_VAL)));
  EXPECT_NO_THROW(check_budget(approximate(max_divergence()), pair(HUGE_VAL, 1e-6)));
  expect_error(ErrorKind::failed_cast, [] { check_budget(max_divergence(), pair(1, 0)); });
  expect_error(ErrorKind::type, [] {
    check_budget(renyi_divergence(), Distance::Curve([](double) { return 1.0; }));
  });
  expect_error(ErrorKind::type, [] { check_budget(smoothed_max_divergence(), Scalar(1.0)); });
}

TEST(Budget, OnlyApproximateConcentratedLossesNeedASequence) {
  EXPECT_TRUE(is_sequential(approximate(zero_concentrated_divergence())));
  for (const Measure& measure : {max_divergence(),
                                 zero_concentrated_divergence(),
                                 renyi_divergence(),
                                 approximate(max_divergence())}) {
    EXPECT_FALSE(is_sequential(measure));
  }
}

}  // namespace
}  // namespace dp::test::budget_test
