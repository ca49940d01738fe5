#include "core/metrics/distance_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/measures/privacy_profile.h"
#include "support/expect_error.h"

namespace dp::test::distance_map_test {
namespace {

Distance mapped(const Distance& d_out) {
  return checked_map([d_out](const Distance&) { return d_out; }, "no distance")(Scalar(1));
}

void expect_refused(const Distance& d_out) {
  EXPECT_FALSE(is_distance(d_out));
  EXPECT_EQ(expect_error(ErrorKind::failed_map, [&] { mapped(d_out); }), "no distance");
}

TEST(DistanceMap, D_CMP_1_NoNumberIsNegativeOrNaN) {
  expect_refused(Scalar(std::nan("")));
  expect_refused(Scalar(-1e-300));
  expect_refused(Scalar(-std::numeric_limits<float>::infinity()));
  expect_refused(Scalar(std::nanf("")));
  expect_refused(Scalar(std::int32_t{-1}));
  expect_refused(Scalar(int128_t{-1}));
  for (const Scalar& fine :
       {Scalar(0.0), Scalar(-0.0), Scalar(HUGE_VAL), Scalar(std::uint32_t{3})}) {
    EXPECT_EQ(debug(mapped(fine)), debug(Distance(fine)));
  }
}

TEST(DistanceMap, D_CMP_1_NoPartIsNegativeOrNaN) {
  const auto pair = [](double a, double b) -> Distance {
    return Distance::Tuple{Scalar(a), Scalar(b)};
  };
  expect_refused(pair(-1, 0));
  expect_refused(pair(0, -1e-9));
  expect_refused(pair(0, std::nan("")));
  expect_refused(Distance::Tuple{pair(0, 0), pair(1, -1)});
  EXPECT_EQ(debug(mapped(pair(1, 0.5))), "(1.0, 0.5)");
}

TEST(DistanceMap, D_CMP_1_NoPointOfACurveIsNegativeOrNaN) {
  const Distance curve =
      mapped(Distance::Curve([](double alpha) { return alpha < 2 ? -1 : std::log(4 - alpha); }));
  const auto& at = *curve.as<Distance::Curve>();
  EXPECT_EQ(at(3), 0);
  for (double alpha : {1.0, 3.5, 5.0}) {
    expect_error(ErrorKind::failed_map, [&] { at(alpha); });
  }
}

TEST(DistanceMap, WhatAUserMeasuresInIsNotRead) {
  EXPECT_TRUE(is_distance(Opaque(std::make_shared<int>(-1))));
  EXPECT_NO_THROW(mapped(Opaque(std::make_shared<int>(-1))));
}

}  // namespace
}  // namespace dp::test::distance_map_test
