#include "core/transformations/rows/clamp.h"

#include <gtest/gtest.h>

#include "core/transformations/rows/clamp_rows.h"
#include "support/expect_error.h"
#include "support/neighbours.h"

namespace dp::test::clamp_test {
namespace {

template <class T>
Bounds between(T lower, T upper) {
  return {Scalar(lower), Scalar(upper)};
}

TEST(Clamp, MovesRowsIntoTheBoundsAndLeavesTheRest) {
  const auto t = make_clamp(
      vector_of(default_atom(AtomType::i32)), symmetric_distance(), between<std::int32_t>(-1, 1));
  const auto out =
      to_dataset<std::int32_t>(t.invoke(to_value<std::int32_t>(AtomType::i32, {-10, 0, 10})));
  EXPECT_EQ(out, (Dataset<std::int32_t>{-1, 0, 1}));
}

TEST(Clamp, ReplacesBoundsAndKeepsTheSize) {
  const Domain input = vector_of(closed_atom(AtomType::f64, Scalar(0.0), Scalar(1.0)), 5);
  const auto t = make_clamp(input, hamming_distance(), between(-2.0, 2.0));
  EXPECT_EQ(t.output_domain(), vector_of(closed_atom(AtomType::f64, Scalar(-2.0), Scalar(2.0)), 5));
  EXPECT_EQ(t.output_metric(), hamming_distance());
}

TEST(Clamp, KeepsNegativeZeroAndClampsInfinities) {
  const auto t =
      make_clamp(vector_of(non_nan_atom(AtomType::f64)), symmetric_distance(), between(0.0, 1.0));
  const double inf = std::numeric_limits<double>::infinity();
  const auto out = to_dataset<double>(t.invoke(to_value<double>(AtomType::f64, {-0.0, -inf, inf})));
  EXPECT_TRUE(std::signbit(*out[0]));
  EXPECT_EQ(*out[1], 0.0);
  EXPECT_EQ(*out[2], 1.0);
}

TEST(Clamp, RefusesWhatItMust) {
  const Metric metric = symmetric_distance();
  const Domain floats = vector_of(non_nan_atom(AtomType::f64));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_error(ErrorKind::failed_function, [&] {
    make_clamp(vector_of(default_atom(AtomType::f64)), metric, between(3.0, 2.0));
  });
  expect_error(ErrorKind::make_domain, [&] { make_clamp(floats, metric, between(3.0, 2.0)); });
  expect_error(ErrorKind::failed_function, [&] { make_clamp(floats, metric, between(nan, 1.0)); });
  expect_error(ErrorKind::failed_cast, [&] { make_clamp(floats, metric, between(0, 1)); });
  expect_error(ErrorKind::type, [&] {
    make_clamp(vector_of(default_atom(AtomType::string)), metric, between(0, 1));
  });
  expect_error(ErrorKind::type,
               [&] { make_clamp(floats, absolute_distance(AtomType::f64), between(0.0, 1.0)); });
  const auto t = make_clamp(floats, metric, between(0.0, 1.0));
  const std::string text = expect_error(ErrorKind::failed_function, [&] {
    t.invoke(to_value<double>(AtomType::f64, {0.5, nan}));
  });
  EXPECT_EQ(text.find("0.5"), std::string::npos);
}

TEST(Clamp, D_SEN_1_TheMapCoversNeighboursUnderEveryMetric) {
  for (const Metric& metric : {symmetric_distance(),
                               insert_delete_distance(),
                               change_one_distance(),
                               hamming_distance()}) {
    const auto size = is_bounded(metric) ? std::optional<std::uint64_t>(4) : std::nullopt;
    const auto floats =
        make_clamp(vector_of(non_nan_atom(AtomType::f64), size), metric, between(-0.1, 3.0));
    StabilityCheck<double> check(floats);
    fuzz(check, 1, 2000);
    exhaust<double>(check, {0.5, -7.0, 3.5}, 4);
    EXPECT_TRUE(check.passed()) << check.report();
    EXPECT_EQ(check.tightness(), 1);
    const auto bytes = make_clamp(
        vector_of(default_atom(AtomType::u8), size), metric, between<std::uint8_t>(0, 254));
    StabilityCheck<std::uint8_t> bytes_check(bytes);
    fuzz(bytes_check, 2, 2000);
    EXPECT_TRUE(bytes_check.passed()) << bytes_check.report();
  }
}

TEST(Clamp, D_SEN_1_PlantedMutantsAreRejected) {
  const auto t =
      make_clamp(vector_of(non_nan_atom(AtomType::f64)), symmetric_distance(), between(0.0, 1.0));
  const auto halved = with_map(
      t, [](const Distance& d) -> Distance { return Scalar(number_in<std::uint32_t>(d) / 2); });
  StabilityCheck<double> wrong_map(halved);
  fuzz(wrong_map, 3, 200);
  EXPECT_TRUE(wrong_map.is_refuted());
  // Mutant: clamps only from above, and so leaves the declared domain (D-DOM-1).
  const auto open = with_function(t, row_function<ClampRows<double>>(AtomType::f64, -1e9, 1.0));
  StabilityCheck<double> wrong_function(open);
  fuzz(wrong_function, 3, 200);
  EXPECT_TRUE(wrong_function.is_refuted());
}

}  // namespace
}  // namespace dp::test::clamp_test
