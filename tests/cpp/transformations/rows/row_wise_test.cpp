#include "core/transformations/rows/row_wise.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"
#include "support/neighbours.h"

namespace dp::test::row_wise_test {
namespace {

Domain ints(std::optional<std::uint64_t> size = std::nullopt) {
  return vector_of(default_atom(AtomType::i32), size);
}

TEST(RowWise, MapsEachRowInOrder) {
  const auto t = make_row_wise(ints(),
                               symmetric_distance(),
                               default_atom(AtomType::string),
                               row_map<std::int32_t, std::string>(AtomType::string, [](int x) {
                                 return std::string(static_cast<std::size_t>(x), '*');
                               }));
  EXPECT_EQ(to_dataset<std::string>(t.invoke(to_value<std::int32_t>(AtomType::i32, {2, 0, 1}))),
            (Dataset<std::string>{"**", "", "*"}));
  EXPECT_TRUE(to_dataset<std::string>(t.invoke(to_value<std::int32_t>(AtomType::i32, {}))).empty());
}

TEST(RowWise, TextMayBeAViewOfTheInput) {
  const auto first_letter = row_map<std::string, std::string>(
      AtomType::string, [](std::string_view text) { return text.substr(0, 1); });
  const auto t = make_row_wise(vector_of(default_atom(AtomType::string)),
                               symmetric_distance(),
                               default_atom(AtomType::string),
                               first_letter.then(first_letter));
  EXPECT_EQ(
      to_dataset<std::string>(t.invoke(to_value<std::string>(AtomType::string, {"abc", "", "de"}))),
      (Dataset<std::string>{"a", "", "d"}));
}

TEST(RowWise, NullsComeAndGo) {
  const auto halve = row_map_to_option<std::int32_t, std::int32_t>(
      AtomType::i32, [](std::int32_t x) -> std::optional<std::int32_t> {
        if (x % 2 != 0) return std::nullopt;
        return x / 2;
      });
  const auto fill = row_map_from_option<std::int32_t, std::int32_t>(
      AtomType::i32, [](const std::int32_t* x) { return x == nullptr ? -1 : *x; });
  const Value in = to_value<std::int32_t>(AtomType::i32, {4, 5, 6});
  EXPECT_EQ(to_dataset<std::int32_t>(halve(in)), (Dataset<std::int32_t>{2, {}, 3}));
  EXPECT_EQ(to_dataset<std::int32_t>(halve.then(fill)(in)), (Dataset<std::int32_t>{2, -1, 3}));
  EXPECT_EQ(to_dataset<std::int32_t>(fill(in)), (Dataset<std::int32_t>{4, 5, 6}));
}

TEST(RowWise, KeepsSizeAndMetricAndDistance) {
  for (const Metric& metric : {symmetric_distance(),
                               insert_delete_distance(),
                               change_one_distance(),
                               hamming_distance()}) {
    const auto t = make_row_wise(ints(7), metric, default_atom(AtomType::boolean), Function());
    EXPECT_EQ(t.output_domain(), vector_of(default_atom(AtomType::boolean), 7));
    EXPECT_EQ(t.output_metric(), metric);
    for (const std::uint32_t d : {0u, 1u, 4294967295u}) {
      EXPECT_EQ(number_in<std::uint32_t>(t.map(Distance(Scalar(d)))), d);
    }
  }
}

TEST(RowWise, RefusesWhatItMust) {
  const auto make = [](const Domain& domain, const Metric& metric) {
    make_row_wise(domain, metric, default_atom(AtomType::boolean), Function());
  };
  expect_error(ErrorKind::type, [&] { make(ints(), absolute_distance(AtomType::i32)); });
  expect_error(ErrorKind::type, [&] { make(ints(), l1_distance(AtomType::i32)); });
  expect_error(ErrorKind::failed_cast,
               [&] { make(default_atom(AtomType::i32), symmetric_distance()); });
  expect_error(ErrorKind::metric_space, [&] { make(ints(), change_one_distance()); });
}

TEST(RowWise, D_SEN_1_ARowFunctionThatLooksElsewhereIsRejected) {
  // Mutant: replaces each row by the first one.
  const auto t = make_row_wise(
      ints(), symmetric_distance(), default_atom(AtomType::i32), whole_function([](const Value& v) {
        auto data = to_dataset<std::int32_t>(v);
        for (auto& row : data) row = data.front();
        return to_value(AtomType::i32, data);
      }));
  StabilityCheck<std::int32_t> check(t);
  exhaust<std::int32_t>(check, {1, 2, 3}, 3);
  EXPECT_TRUE(check.is_refuted());
}

}  // namespace
}  // namespace dp::test::row_wise_test
