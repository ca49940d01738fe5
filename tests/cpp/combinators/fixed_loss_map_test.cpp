#include "core/combinators/fixed_loss_map.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/expect_error.h"

namespace dp::test::fixed_loss_map_test {
namespace {

const PrivacyMap kPromise = promise(Scalar(3), Scalar(1.5), "too far");

TEST(Promise, IsTheSameLossUpToItsDistance) {
  for (std::int32_t d_in : {0, 1, 3}) {
    EXPECT_EQ(number_in<double>(kPromise(Scalar(d_in))), 1.5);
  }
}

TEST(Promise, DoesNotReachFurther) {
  EXPECT_EQ(expect_error(ErrorKind::relation_debug, [] { kPromise(Scalar(4)); }), "too far");
}

TEST(Promise, WhatIsNegativeOrNaNIsNoDistance) {
  expect_error(ErrorKind::failed_map, [] { kPromise(Scalar(-1)); });
  const PrivacyMap of_float = promise(Scalar(3.0), Scalar(1.5), "too far");
  expect_error(ErrorKind::failed_map, [&] { of_float(Scalar(std::nan(""))); });
  const auto triple = [](std::int32_t last) -> Distance {
    return Distance::Tuple{Scalar(std::uint32_t{1}), Scalar(2.0), Scalar(last)};
  };
  const PrivacyMap of_three = promise(triple(3), Scalar(1.5), "too far");
  EXPECT_EQ(number_in<double>(of_three(triple(0))), 1.5);
  expect_error(ErrorKind::failed_map, [&] { of_three(triple(-1)); });
  expect_error(ErrorKind::relation_debug, [&] { of_three(triple(4)); });
}

TEST(Promise, WhatHasNoOrderIsRefused) {
  const PrivacyMap of_float = promise(Scalar(3.0), Scalar(1.5), "too far");
  expect_error(ErrorKind::failed_function, [&] { of_float(Scalar(1)); });
}

}  // namespace
}  // namespace dp::test::fixed_loss_map_test
