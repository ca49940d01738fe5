#include "core/metrics/distance.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace dp::test::distance_test {
namespace {

Distance pair(double a, double b) { return Distance::Tuple{Scalar(a), Scalar(b)}; }

TEST(Distance, NumbersAreOrderedWithinTheirType) {
  EXPECT_TRUE(at_most(Scalar(1.0), Scalar(1.0)));
  EXPECT_TRUE(at_most(Scalar(1.0), Scalar(std::numeric_limits<double>::infinity())));
  EXPECT_FALSE(at_most(Scalar(std::uint32_t{2}), Scalar(std::uint32_t{1})));
  expect_error(ErrorKind::failed_function, [] { at_most(Scalar(1.0), Scalar(1)); });
}

TEST(Distance, D_FLT_3_NanHasNoPlaceInTheOrder) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_error(ErrorKind::failed_function, [&] { at_most(Scalar(nan), Scalar(1.0)); });
  expect_error(ErrorKind::failed_function, [&] { at_most(Scalar(1.0), Scalar(nan)); });
  expect_error(ErrorKind::failed_function, [&] { at_most(pair(0, nan), pair(1, 1)); });
}

TEST(Distance, TuplesAreOrderedInEveryPart) {
  EXPECT_TRUE(at_most(pair(1, 1e-7), pair(1, 1e-7)));
  EXPECT_TRUE(at_most(pair(1, 1e-7), pair(2, 1e-7)));
  EXPECT_FALSE(at_most(pair(1, 1e-6), pair(1, 1e-7)));
  expect_error(ErrorKind::failed_function, [] { at_most(pair(1, 2), pair(2, 1)); });
  expect_error(ErrorKind::failed_function,
               [] { at_most(pair(1, 2), Distance(Distance::Tuple{Scalar(1.0)})); });
  expect_error(ErrorKind::failed_function, [] { at_most(pair(1, 2), Scalar(1.0)); });
}

TEST(Distance, WhatHasNoOrderIsRefused) {
  const Distance curve = Distance::Curve([](double alpha) { return alpha; });
  expect_error(ErrorKind::failed_function, [&] { at_most(curve, curve); });
}

TEST(Distance, GivesItsNumberInItsTypeOnly) {
  EXPECT_EQ(number_in<std::uint32_t>(Scalar(std::uint32_t{3})), 3u);
  expect_error(ErrorKind::failed_cast, [] { number_in<std::uint32_t>(Scalar(3)); });
  expect_error(ErrorKind::failed_cast, [] { number_in<double>(pair(1, 2)); });
}

TEST(Distance, Prints) {
  EXPECT_EQ(debug(Distance(Scalar(1.0986122886681098))), "1.0986122886681098");
  EXPECT_EQ(debug(pair(1, 1e-7)), "(1.0, 1e-7)");
}

}  // namespace
}  // namespace dp::test::distance_test
