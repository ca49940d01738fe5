#include "core/postprocessing/cdf.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/datasets.h"
#include "support/expect_error.h"

namespace dp::test::cdf_test {
namespace {

TEST(Cdf, DividesRunningSumsByTheirLast) {
  const auto out = to_dataset<double>(
      make_cdf(AtomType::f64)(make_column<double>(AtomType::f64, {2.23, 3.4, 5, 2.7})));
  EXPECT_EQ(out,
            (Dataset<double>{0.16729182295573897, 0.42235558889722435, 0.7974493623405852, 1.0}));
  EXPECT_EQ(to_dataset<float>(make_cdf(AtomType::f32)(make_column<float>(AtomType::f32, {1, 3}))),
            (Dataset<float>{0.25F, 1.0F}));
}

TEST(Cdf, LeavesDivisionByZeroToTheArithmetic) {
  const auto out =
      to_dataset<double>(make_cdf(AtomType::f64)(make_column<double>(AtomType::f64, {1, -1})));
  EXPECT_EQ(*out[0], std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(*out[1]));
}

TEST(Cdf, RefusesWhatItMust) {
  expect_error(ErrorKind::type, [] { make_cdf(AtomType::i32); });
  expect_error(ErrorKind::failed_function,
               [] { make_cdf(AtomType::f64)(make_column<double>(AtomType::f64, {})); });
  expect_error(ErrorKind::failed_cast,
               [] { make_cdf(AtomType::f64)(make_column<float>(AtomType::f32, {1})); });
}

}  // namespace
}  // namespace dp::test::cdf_test
