#include "core/transformations/rows/find.h"

#include <gtest/gtest.h>

#include "core/combinators/chain.h"
#include "core/transformations/rows/impute_constant.h"
#include "support/expect_error.h"
#include "support/stable.h"

namespace dp::test::find_test {
namespace {

std::vector<Scalar> texts(const std::vector<std::string>& elements) {
  return {elements.begin(), elements.end()};
}

Domain rows_of(AtomType type, std::optional<std::uint64_t> size = std::nullopt) {
  return vector_of(default_atom(type), size);
}

TEST(Find, NumbersRowsByTheirPlaceAndTheRestIsNull) {
  const auto t = make_find(rows_of(AtomType::string), symmetric_distance(), texts({"1", "3", "4"}));
  EXPECT_EQ(t.output_domain(), vector_of(OptionDomain{default_atom(AtomType::usize)}));
  const auto out =
      to_dataset<std::uint64_t>(t.invoke(to_value<std::string>(AtomType::string, {"4", "2", "1"})));
  EXPECT_EQ(out, (Dataset<std::uint64_t>{2, {}, 0}));
}

TEST(Find, WithImputationGivesTheWorkedExample) {
  const auto find =
      make_find(rows_of(AtomType::string), symmetric_distance(), texts({"1", "3", "4"}));
  const auto t = make_chain_tt(
      make_impute_constant(find.output_domain(), find.output_metric(), Scalar(std::uint64_t{3})),
      find);
  const auto out = to_dataset<std::uint64_t>(t.invoke(
      to_value<std::string>(AtomType::string, {"1", "2", "3", "4", "5", "6", "7", "8", "9"})));
  EXPECT_EQ(out, (Dataset<std::uint64_t>{0, 3, 1, 2, 3, 3, 3, 3, 3}));
}

TEST(Find, FindsEveryHashableTypeAndNothingInNoCategories) {
  const auto bools = make_find(rows_of(AtomType::boolean), symmetric_distance(), {Scalar(true)});
  EXPECT_EQ(
      to_dataset<std::uint64_t>(bools.invoke(to_value<bool>(AtomType::boolean, {false, true}))),
      (Dataset<std::uint64_t>{{}, 0}));
  const auto none = make_find(rows_of(AtomType::i8), symmetric_distance(), {});
  EXPECT_EQ(to_dataset<std::uint64_t>(none.invoke(to_value<std::int8_t>(AtomType::i8, {0, -128}))),
            (Dataset<std::uint64_t>{{}, {}}));
}

TEST(Find, ManyCategoriesAreAllFound) {
  std::vector<Scalar> categories;
  Dataset<std::int64_t> rows;
  for (std::int64_t i = 0; i < 5000; ++i) {
    categories.emplace_back(i << 32);
    rows.emplace_back(i << 32);
  }
  const auto t = make_find(rows_of(AtomType::i64), symmetric_distance(), categories);
  const auto out = to_dataset<std::uint64_t>(t.invoke(to_value(AtomType::i64, rows)));
  for (std::size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(out[i], i);
}

TEST(Find, RefusesWhatItMust) {
  const Metric metric = symmetric_distance();
  expect_error(ErrorKind::make_transformation, [&] {
    make_find(rows_of(AtomType::string), metric, texts({"A", "A"}));
  });
  expect_error(ErrorKind::failed_cast,
               [&] { make_find(rows_of(AtomType::i32), metric, texts({"A"})); });
  expect_error(ErrorKind::type, [&] { make_find(rows_of(AtomType::f64), metric, {Scalar(1.0)}); });
  expect_error(ErrorKind::type, [&] {
    make_find(rows_of(AtomType::string), absolute_distance(AtomType::f64), texts({"A"}));
  });
}

TEST(Find, D_SEN_1_D_DOM_1_TheMapCoversNeighboursAndMutantsAreRejected) {
  for (const auto& [metric, size] : dataset_spaces()) {
    const auto t = make_find(rows_of(AtomType::string, size), metric, texts({"a", "1"}));
    const std::vector<Row<std::string>> values = {"a", "1", "?"};
    expect_stable(t, values);
    // Mutant: positions in the data instead of the public list, so one row moves others.
    expect_rejected(t,
                    whole_function([](const Value& rows) -> Value {
                      const auto data = to_dataset<std::string>(rows);
                      Dataset<std::uint64_t> out;
                      for (const auto& x : data) {
                        out.emplace_back(std::find(data.begin(), data.end(), x) - data.begin());
                      }
                      return to_value(AtomType::usize, out);
                    }),
                    values);
  }
}

}  // namespace
}  // namespace dp::test::find_test
