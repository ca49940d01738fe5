#include "core/transformations/rows/user_transformation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/combinators/chain.h"
#include "core/transformations/rows/cast_default.h"
#include "core/transformations/rows/clamp.h"
#include "support/expect_error.h"
#include "support/neighbours.h"

namespace dp::test::user_transformation_test {
namespace {

const Domain kInts = vector_of(default_atom(AtomType::i32));

Value repeated(const Value& arg) {
  auto data = to_dataset<std::int32_t>(arg);
  const auto once = data;
  data.insert(data.end(), once.begin(), once.end());
  return to_value(AtomType::i32, data);
}

Distance doubled(const Distance& d) { return Scalar(number_in<std::uint32_t>(d) * 2); }

Transformation make_repeat(StabilityMap map = doubled) {
  return make_user_transformation(
      kInts, symmetric_distance(), kInts, symmetric_distance(), repeated, std::move(map));
}

TEST(UserTransformation, RunsTheUsersFunctionAndMap) {
  const auto t = make_repeat();
  EXPECT_EQ(to_dataset<std::int32_t>(t.invoke(to_value<std::int32_t>(AtomType::i32, {1, 2}))),
            (Dataset<std::int32_t>{1, 2, 1, 2}));
  EXPECT_EQ(debug(t.map(Distance(Scalar(std::uint32_t{3})))), "6");
}

TEST(UserTransformation, D_CMP_1_RefusesADistanceThatIsNegativeOrNaN) {
  for (double wrong : {-1.0, -5e-324, std::nan("")}) {
    const auto t = make_user_transformation(
        kInts,
        symmetric_distance(),
        non_nan_atom(AtomType::f64),
        absolute_distance(AtomType::f64),
        [](const Value&) -> Value { return Scalar(0.0); },
        [wrong](const Distance&) -> Distance { return Scalar(wrong); });
    const Distance row = Scalar(std::uint32_t{1});
    expect_error(ErrorKind::failed_map, [&] { t.map(row); });
    expect_error(ErrorKind::failed_map, [&] { t.stability_map()(row); });
  }
}

TEST(UserTransformation, ChainsLikeAnyOther) {
  const auto cast = make_cast_default(
      vector_of(default_atom(AtomType::string)), symmetric_distance(), AtomType::i32);
  const auto repeat = make_chain_tt(make_repeat(), cast);
  const auto clamp =
      make_clamp(repeat.output_domain(), repeat.output_metric(), {Scalar(1), Scalar(2)});
  const auto t = make_chain_tt(clamp, repeat);
  EXPECT_EQ(to_dataset<std::int32_t>(t.invoke(to_value<std::string>(AtomType::string, {"9", "x"}))),
            (Dataset<std::int32_t>{2, 1, 2, 1}));
  EXPECT_EQ(debug(t.map(Distance(Scalar(std::uint32_t{1})))), "2");
}

TEST(UserTransformation, RefusesResultsOfAnotherType) {
  const auto wrong_data = make_user_transformation(
      kInts,
      symmetric_distance(),
      kInts,
      symmetric_distance(),
      [](const Value&) -> Value { return Scalar(1); },
      doubled);
  expect_error(ErrorKind::failed_function,
               [&] { wrong_data.invoke(to_value<std::int32_t>(AtomType::i32, {1})); });
  const auto wrong_distance = make_repeat([](const Distance&) -> Distance { return Scalar(1.0); });
  expect_error(ErrorKind::failed_function,
               [&] { wrong_distance.map(Distance(Scalar(std::uint32_t{1}))); });
}

TEST(UserTransformation, ChecksBothSpaces) {
  expect_error(ErrorKind::metric_space, [] {
    make_user_transformation(
        kInts, hamming_distance(), kInts, symmetric_distance(), repeated, doubled);
  });
  expect_error(ErrorKind::metric_space, [] {
    make_user_transformation(kInts,
                             symmetric_distance(),
                             default_atom(AtomType::f64),
                             absolute_distance(AtomType::f64),
                             repeated,
                             doubled);
  });
}

TEST(UserTransformation, D_SEN_1_ARightMapPassesAndAWrongOneIsRejected) {
  StabilityCheck<std::int32_t> check(make_repeat());
  fuzz(check, 16, 2000);
  exhaust<std::int32_t>(check, {1, 2, 3}, 4);
  EXPECT_TRUE(check.passed()) << check.report();
  EXPECT_EQ(check.tightness(), 1);
  StabilityCheck<std::int32_t> mutant(make_repeat([](const Distance& d) { return d; }));
  fuzz(mutant, 16, 300);
  EXPECT_TRUE(mutant.is_refuted());
}

}  // namespace
}  // namespace dp::test::user_transformation_test
