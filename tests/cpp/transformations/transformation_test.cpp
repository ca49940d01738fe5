#include "core/transformations/transformation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/transformations/stability.h"
#include "support/expect_error.h"
#include "support/neighbours.h"

namespace dp::test::transformation_test {
namespace {

const Domain kInts = vector_of(default_atom(AtomType::i32));

Distance rows(std::uint32_t d) { return Scalar(d); }

Transformation identity_with(StabilityMap map, const Metric& output_metric = symmetric_distance()) {
  return Transformation(
      kInts, symmetric_distance(), kInts, output_metric, Function(), std::move(map));
}

TEST(Transformation, ChecksBothMetricSpaces) {
  const Metric symmetric = symmetric_distance();
  const auto build = [&](const Domain& in, const Metric& mi, const Domain& out, const Metric& mo) {
    Transformation(in, mi, out, mo, Function(), constant_map(symmetric, 1));
  };
  expect_error(ErrorKind::metric_space,
               [&] { build(kInts, hamming_distance(), kInts, symmetric); });
  expect_error(ErrorKind::metric_space,
               [&] { build(kInts, symmetric, kInts, hamming_distance()); });
  build(kInts, symmetric, vector_of(default_atom(AtomType::i32), 3), hamming_distance());
}

TEST(Transformation, D_DOM_4_RefusesDataOfAnotherCarrierOrOutsideOfTheDomain) {
  const Domain bounded = vector_of(closed_atom(AtomType::i32, Scalar(0), Scalar(1)), 5);
  const Transformation t(bounded,
                         symmetric_distance(),
                         bounded,
                         symmetric_distance(),
                         Function(),
                         constant_map(symmetric_distance(), 1));
  const auto invoke = [&](const Dataset<std::int32_t>& rows) {
    return to_dataset<std::int32_t>(t.invoke(to_value(AtomType::i32, rows)));
  };
  EXPECT_EQ(invoke({1, 0, 1, 1, 0}), (Dataset<std::int32_t>{1, 0, 1, 1, 0}));
  expect_error(ErrorKind::failed_function, [&] { invoke({1}); });
  expect_error(ErrorKind::failed_function, [&] { invoke({7, 0, 1, 1, 0}); });
  const std::string text = expect_error(ErrorKind::failed_cast,
                                        [&] { t.invoke(to_value<double>(AtomType::f64, {0.5})); });
  EXPECT_NE(text.find("Vec<i32>"), std::string::npos);
  expect_error(ErrorKind::failed_cast, [&] { t.invoke(Scalar(1)); });
}

TEST(Transformation, ChecksADistanceAgainstTheMap) {
  const auto t = identity_with(constant_map(symmetric_distance(), 2));
  EXPECT_TRUE(t.check(rows(3), rows(6)));
  EXPECT_FALSE(t.check(rows(3), rows(5)));
  expect_error(ErrorKind::failed_function, [&] { t.check(rows(3), Scalar(6)); });
}

TEST(Transformation, ErrorsOfTheMapAreNotSwallowed) {
  const auto t = identity_with(constant_map(symmetric_distance(), 2));
  expect_error(ErrorKind::overflow, [&] { t.check(rows(2147483648), rows(1)); });
  expect_error(ErrorKind::failed_cast, [&] { t.map(Distance(Distance::Tuple{})); });
}

TEST(ConstantMap, D_FLT_3_RoundsUpAndRefusesWhatDoesNotFit) {
  const auto map = [](AtomType type, std::uint32_t factor, const Scalar& d_in) {
    return debug(constant_map(absolute_distance(type), factor)(d_in));
  };
  EXPECT_EQ(map(AtomType::i64, 2, Scalar(std::uint32_t{4294967295})), "8589934590");
  EXPECT_EQ(map(AtomType::f32, 1, Scalar(std::uint32_t{16777217})), "16777218.0");
  EXPECT_EQ(map(AtomType::f32, 1, Scalar(0.7)), "0.70000005");
  EXPECT_EQ(map(AtomType::f64, 3, Scalar(0.1)), "0.30000000000000004");
  EXPECT_EQ(map(AtomType::i32, 1, Scalar(0.5)), "1");
  expect_error(ErrorKind::failed_cast, [&] { map(AtomType::i8, 1, Scalar(std::uint32_t{200})); });
  expect_error(ErrorKind::overflow, [&] { map(AtomType::i8, 2, Scalar(std::uint32_t{100})); });
  expect_error(ErrorKind::failed_cast, [&] { map(AtomType::f64, 1, Scalar(std::string("1"))); });
  expect_error(ErrorKind::failed_map, [&] { map(AtomType::i32, 1, Scalar(-1)); });
  expect_error(ErrorKind::failed_map, [&] { map(AtomType::f64, 1, Scalar(std::nan(""))); });
}

TEST(MapRows, TakesRowsOnly) {
  const StabilityMap map = map_rows<double>([](std::uint32_t d) { return 0.5 * d; });
  EXPECT_EQ(debug(map(rows(3))), "1.5");
  expect_error(ErrorKind::failed_cast, [&] { map(Scalar(3)); });
  expect_error(ErrorKind::failed_cast, [&] { map(Scalar(3.0)); });
}

}  // namespace
}  // namespace dp::test::transformation_test
