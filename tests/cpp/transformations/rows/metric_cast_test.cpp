#include "core/transformations/rows/metric_cast.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"
#include "support/neighbours.h"

namespace dp::test::metric_cast_test {
namespace {

Domain ints(std::optional<std::uint64_t> size = std::nullopt) {
  return vector_of(default_atom(AtomType::i32), size);
}

std::uint32_t map(const Transformation& t, std::uint32_t d_in) {
  return number_in<std::uint32_t>(t.map(Distance(Scalar(d_in))));
}

StabilityMap halved() {
  return [](const Distance& d) -> Distance { return Scalar(number_in<std::uint32_t>(d) / 2); };
}

void expect_stable(const Transformation& t, std::uint64_t max_d_in = 4) {
  StabilityCheck<std::int32_t> check(t);
  fuzz(check, 11, 2000);
  exhaust<std::int32_t>(check, {1, 2, 3}, 4, max_d_in);
  EXPECT_TRUE(check.passed()) << check.report();
  EXPECT_EQ(check.tightness(), 1);
}

void expect_unstable(const Transformation& t) {
  StabilityCheck<std::int32_t> check(t);
  exhaust<std::int32_t>(check, {1, 2, 3}, 4, 4);
  EXPECT_TRUE(check.is_refuted());
}

TEST(MetricBounded, D_SEN_1_HalvesTheDistanceOfMultisets) {
  const auto t = make_metric_bounded(ints(4), symmetric_distance());
  EXPECT_EQ(t.output_metric(), change_one_distance());
  EXPECT_EQ(map(t, 0), 0u);
  EXPECT_EQ(map(t, 5), 2u);
  EXPECT_EQ(map(t, 4294967295), 2147483647u);
  expect_stable(t);
  expect_unstable(
      with_map(t, [](const Distance&) -> Distance { return Scalar(std::uint32_t{1}); }));
}

// (1, 2, 3) and (2, 3, 1) are one removal and one addition apart, but differ in every position.
TEST(MetricBounded, D_SEN_1_AMovedRowReplacesEveryRowOfASequence) {
  const auto t = make_metric_bounded(ints(4), insert_delete_distance());
  EXPECT_EQ(t.output_metric(), hamming_distance());
  EXPECT_EQ(map(t, 1), 0u);
  EXPECT_EQ(map(t, 2), 4u);
  EXPECT_EQ(map(t, 100), 4u);
  expect_stable(t);
  expect_unstable(with_map(t, halved()));
  const auto huge = make_metric_bounded(ints(std::uint64_t{1} << 32), insert_delete_distance());
  EXPECT_EQ(map(huge, 1), 0u);
  expect_error(ErrorKind::failed_cast, [&] { map(huge, 2); });
}

TEST(MetricUnbounded, D_SEN_1_DoublesTheDistance) {
  for (const Metric& metric : {change_one_distance(), hamming_distance()}) {
    const auto t = make_metric_unbounded(ints(4), metric);
    EXPECT_EQ(t.output_metric(),
              is_ordered(metric) ? insert_delete_distance() : symmetric_distance());
    EXPECT_EQ(map(t, 3), 6u);
    EXPECT_EQ(map(t, 2147483647), 4294967294u);
    expect_error(ErrorKind::overflow, [&] { map(t, 2147483648); });
    expect_stable(t);
    expect_unstable(with_map(t, [](const Distance& d) { return d; }));
  }
}

TEST(MetricCast, FunctionsAreIdentitiesThatCopyNothing) {
  const auto t = make_metric_bounded(ints(2), symmetric_distance());
  const Value value = to_value<std::int32_t>(AtomType::i32, {1, 2});
  EXPECT_EQ(rows_in(t.invoke(value)), rows_in(value));
}

TEST(MetricCast, RefusesWhatItMust) {
  expect_error(ErrorKind::failed_function,
               [] { make_metric_bounded(ints(), symmetric_distance()); });
  expect_error(ErrorKind::failed_function,
               [] { make_metric_unbounded(ints(), change_one_distance()); });
  expect_error(ErrorKind::type, [] { make_metric_bounded(ints(3), change_one_distance()); });
  expect_error(ErrorKind::type, [] { make_metric_unbounded(ints(3), symmetric_distance()); });
  expect_error(ErrorKind::failed_cast,
               [] { make_metric_bounded(default_atom(AtomType::i32), symmetric_distance()); });
}

}  // namespace
}  // namespace dp::test::metric_cast_test
