#include "core/transformations/rows/impute_constant.h"

#include <gtest/gtest.h>

#include "core/transformations/rows/impute_constant_rows.h"
#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/neighbours.h"

namespace dp::test::impute_constant_test {
namespace {

Domain option_of(AtomType type) { return vector_of(OptionDomain{default_atom(type)}); }

TEST(ImputeConstant, FillsNullsOfEveryType) {
  const Metric metric = symmetric_distance();
  EXPECT_EQ(
      to_dataset<std::int32_t>(make_impute_constant(option_of(AtomType::i32), metric, Scalar(-1))
                                   .invoke(to_value<std::int32_t>(AtomType::i32, {1, {}, 3}))),
      (Dataset<std::int32_t>{1, -1, 3}));
  EXPECT_EQ(to_dataset<std::string>(
                make_impute_constant(option_of(AtomType::string), metric, Scalar(std::string("?")))
                    .invoke(to_value<std::string>(AtomType::string, {"a", {}}))),
            (Dataset<std::string>{"a", "?"}));
  EXPECT_EQ(
      to_dataset<bool>(make_impute_constant(option_of(AtomType::boolean), metric, Scalar(true))
                           .invoke(to_value<bool>(AtomType::boolean, {false, {}}))),
      (Dataset<bool>{false, true}));
}

TEST(ImputeConstant, FillsNanInFloatsAndAPresentNanInOptions) {
  const Metric metric = symmetric_distance();
  for (const Domain& domain : {vector_of(default_atom(AtomType::f64)), option_of(AtomType::f64)}) {
    const auto t = make_impute_constant(domain, metric, Scalar(0.5));
    EXPECT_EQ(t.output_domain(), vector_of(non_nan_atom(AtomType::f64)));
    EXPECT_EQ(to_dataset<double>(t.invoke(to_value<double>(AtomType::f64, {1.0, kNaN}))),
              (Dataset<double>{1.0, 0.5}));
  }
}

TEST(ImputeConstant, LosesBoundsAndKeepsTheSize) {
  const Domain input = vector_of(OptionDomain{closed_atom(AtomType::i32, Scalar(0), Scalar(9))}, 4);
  EXPECT_EQ(make_impute_constant(input, change_one_distance(), Scalar(100)).output_domain(),
            vector_of(non_nan_atom(AtomType::i32), 4));
}

TEST(ImputeConstant, RefusesWhatItMust) {
  const Metric metric = symmetric_distance();
  const Domain floats = vector_of(default_atom(AtomType::f64));
  expect_error(ErrorKind::make_transformation,
               [&] { make_impute_constant(floats, metric, Scalar(kNaN)); });
  expect_error(ErrorKind::failed_cast, [&] { make_impute_constant(floats, metric, Scalar(1)); });
  expect_error(ErrorKind::type, [&] {
    make_impute_constant(vector_of(default_atom(AtomType::i32)), metric, Scalar(1));
  });
  expect_error(ErrorKind::type, [&] {
    make_impute_constant(floats, absolute_distance(AtomType::f64), Scalar(1.0));
  });
}

TEST(ImputeConstant, D_SEN_1_D_DOM_1_TheMapCoversNeighboursAndMutantsAreRejected) {
  for (const Metric& metric : {symmetric_distance(),
                               insert_delete_distance(),
                               change_one_distance(),
                               hamming_distance()}) {
    const auto size = is_bounded(metric) ? std::optional<std::uint64_t>(3) : std::nullopt;
    const Domain domain = vector_of(OptionDomain{default_atom(AtomType::f64)}, size);
    const auto t = make_impute_constant(domain, metric, Scalar(7.0));
    StabilityCheck<double> check(t);
    fuzz(check, 7, 2000);
    exhaust<double>(check, {1.0, kNaN, {}}, 4);
    EXPECT_TRUE(check.passed()) << check.report();
    EXPECT_EQ(check.tightness(), 1);
    StabilityCheck<double> wrong_map(
        with_map(t, [](const Distance&) -> Distance { return Scalar(std::uint32_t{1}); }));
    fuzz(wrong_map, 7, 300);
    EXPECT_TRUE(wrong_map.is_refuted());
    // Mutant: imputes NaN, which the output domain excludes.
    StabilityCheck<double> wrong_domain(
        with_function(t, row_function<ImputeConstantRows<double>>(AtomType::f64, kNaN)));
    fuzz(wrong_domain, 7, 300);
    EXPECT_TRUE(wrong_domain.is_refuted());
  }
}

// Rows must be treated independently: imputing the mean of the present rows is not free.
TEST(ImputeConstant, D_SEN_1_ImputingTheMeanIsRejected) {
  const auto t = make_impute_constant(
      vector_of(default_atom(AtomType::f64)), symmetric_distance(), Scalar(0.0));
  const auto mean = with_function(t, whole_function([](const Value& arg) -> Value {
                                    Dataset<double> data = to_dataset<double>(arg);
                                    double sum = 0, count = 0;
                                    for (const auto& row : data) {
                                      if (std::isfinite(*row) && std::fabs(*row) < 1e6) {
                                        sum += *row, count += 1;
                                      }
                                    }
                                    for (auto& row : data) {
                                      if (std::isnan(*row)) row = count == 0 ? 0 : sum / count;
                                    }
                                    return to_value(AtomType::f64, data);
                                  }));
  StabilityCheck<double> check(mean);
  exhaust<double>(check, {1.0, 2.0, kNaN}, 4);
  EXPECT_TRUE(check.is_refuted());
}

}  // namespace
}  // namespace dp::test::impute_constant_test
