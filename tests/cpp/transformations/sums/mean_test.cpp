#include "core/transformations/sums/mean.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"
#include "support/reductions.h"

namespace dp::test::mean_test {
namespace {

// sum_test.cpp checks the maps of the oracle.

Domain rows_within(double lower, double upper, std::optional<std::uint64_t> size) {
  return vector_of(closed_atom(AtomType::f64, Scalar(lower), Scalar(upper)), size);
}

TEST(Mean, D_DOM_4_AnotherNumberOfRowsThanDeclaredIsRefused) {
  const auto mean = make_mean(rows_within(0, 10, 10), symmetric_distance());
  for (std::size_t n : {0u, 1u, 9u, 11u}) {
    EXPECT_EQ(
        expect_error(
            ErrorKind::failed_function,
            [&] { mean.invoke(make_column<double>(AtomType::f64, std::vector<double>(n, 5.0))); }),
        "arg must be a member of the input domain.");
  }
}

TEST(Mean, DividesByTheDeclaredSize) {
  const auto mean = make_mean(rows_within(0, 10, 10), symmetric_distance());
  EXPECT_EQ(invoke_on(mean, std::vector<double>(10, 5.0)), 5.0);
  EXPECT_EQ(invoke_on<double>(mean, {5, 0, 0, 0, 0, 0, 0, 0, 0, 0}), 0.5);
  EXPECT_EQ(mean.output_domain(), Domain(non_nan_atom(AtomType::f64)));
  EXPECT_EQ(mean.output_metric(), absolute_distance(AtomType::f64));
}

TEST(Mean, OfSingleFloatsStaysSingle) {
  const auto mean = make_mean(vector_of(closed_atom(AtomType::f32, Scalar(0.0F), Scalar(10.0F)), 4),
                              symmetric_distance());
  EXPECT_EQ(invoke_on<float>(mean, {1, 2, 3, 4}), 2.5F);
}

TEST(Mean, D_DOM_2_RefusesWhatHasNoMean) {
  const auto metric = symmetric_distance();
  expect_error(ErrorKind::make_transformation,
               [&] { make_mean(rows_within(0, 10, std::nullopt), metric); });
  expect_error(ErrorKind::make_transformation, [&] { make_mean(rows_within(0, 10, 0), metric); });
  expect_error(ErrorKind::make_transformation,
               [&] { make_mean(vector_of(default_atom(AtomType::f64), 10), metric); });
  expect_error(ErrorKind::failed_cast,
               [&] { make_mean(rows_within(0, 10, (std::uint64_t{1} << 53) + 1), metric); });
  expect_error(ErrorKind::overflow, [&] { make_mean(rows_within(0, 1e308, 10), metric); });
  expect_error(ErrorKind::type, [&] { make_mean(rows_within(0, 10, 10), change_one_distance()); });
  expect_error(ErrorKind::type, [&] {
    make_mean(vector_of(closed_atom(AtomType::i32, Scalar(0), Scalar(1)), 10), metric);
  });
}

TEST(Mean, D_SEN_1_MapCoversNeighboursAndALowerOneDoesNot) {
  const auto mean = make_mean(rows_within(-1, 3, 8), symmetric_distance());
  StabilityCheck<double> check(mean);
  fuzz(check, 11, 2000);
  EXPECT_TRUE(check.passed()) << check.report();
  EXPECT_GT(check.tightness(), 0.9);

  const StabilityMap low = [&](const Distance& d_in) {
    return Distance(Scalar(number_in<double>(mean.map(d_in)) * 0.9));
  };
  StabilityCheck<double> planted(with_map(mean, low));
  fuzz(planted, 11, 2000);
  EXPECT_TRUE(planted.is_refuted());
}

}  // namespace
}  // namespace dp::test::mean_test
