#include "core/transformations/counts/count_by_categories.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "support/expect_error.h"
#include "support/reductions.h"
#include "support/stable.h"

namespace dp::test::count_by_categories_test {
namespace {

Transformation counts(const std::vector<std::int32_t>& categories,
                      bool null_category,
                      const Metric& metric = l1_distance(AtomType::i32),
                      AtomType output = AtomType::i32) {
  return make_count_by_categories(vector_of(default_atom(AtomType::i32)),
                                  symmetric_distance(),
                                  std::vector<Scalar>(categories.begin(), categories.end()),
                                  null_category,
                                  metric,
                                  output);
}

TEST(CountByCategories, CountsInTheOrderGivenAndTheRestLast) {
  const Dataset<std::int32_t> data = {1, 2, 3, 4, 5, 1, 1, 1, 2};
  const Value rows = to_value(AtomType::i32, data);
  EXPECT_EQ(to_dataset<std::int32_t>(counts({2, 1, 3}, true).invoke(rows)),
            (Dataset<std::int32_t>{2, 4, 1, 2}));
  EXPECT_EQ(to_dataset<std::int32_t>(counts({2, 1, 3}, false).invoke(rows)),
            (Dataset<std::int32_t>{2, 4, 1}));
  EXPECT_EQ(to_dataset<std::int32_t>(counts({}, true).invoke(rows)), (Dataset<std::int32_t>{9}));
  EXPECT_EQ(
      to_dataset<std::int32_t>(counts({7}, true).invoke(to_value<std::int32_t>(AtomType::i32, {}))),
      (Dataset<std::int32_t>{0, 0}));
}

TEST(CountByCategories, FindsCategoriesWhereverTheyAre) {
  const std::int32_t least = std::numeric_limits<std::int32_t>::min();
  const std::int32_t most = std::numeric_limits<std::int32_t>::max();
  const Value rows = to_value<std::int32_t>(
      AtomType::i32, {least, most, 0, -1, 1, most, least + 1, most - 1, -5, -7, 1000000});
  EXPECT_EQ(to_dataset<std::int32_t>(counts({most, least, 0}, true).invoke(rows)),
            (Dataset<std::int32_t>{2, 1, 1, 7}));
  EXPECT_EQ(to_dataset<std::int32_t>(counts({least, least + 1}, true).invoke(rows)),
            (Dataset<std::int32_t>{1, 1, 9}));
  EXPECT_EQ(to_dataset<std::int32_t>(counts({most, most - 2, most - 1}, true).invoke(rows)),
            (Dataset<std::int32_t>{2, 0, 1, 8}));
  EXPECT_EQ(to_dataset<std::int32_t>(counts({-5, 1, -7}, true).invoke(rows)),
            (Dataset<std::int32_t>{1, 1, 1, 8}));
}

TEST(CountByCategories, D_INT_1_SaturatesWhereTheTypeEnds) {
  const auto t = counts({1}, true, l1_distance(AtomType::i32), AtomType::i8);
  const Dataset<std::int32_t> data(300, 1);
  EXPECT_EQ(to_dataset<std::int8_t>(t.invoke(to_value(AtomType::i32, data))),
            (Dataset<std::int8_t>{127, 0}));
}

TEST(CountByCategories, DoesNotDependOnThreadsOrCopies) {
  std::vector<std::int32_t> rows(600000);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::int32_t>(i % 5);
  for (const std::size_t threads : {1, 3}) {
    const ScopedThreads scoped(threads);
    for (const ColumnPtr& way :
         {make_column(AtomType::i32, rows),
          ColumnPtr(std::make_shared<CopiedColumn>(make_column(AtomType::i32, rows)))}) {
      EXPECT_EQ(to_dataset<std::int32_t>(counts({4, 0}, true).invoke(way)),
                (Dataset<std::int32_t>{120000, 120000, 360000}));
    }
  }
}

TEST(CountByCategories, RefusesWhatItMust) {
  expect_error(ErrorKind::make_transformation, [] { counts({1, 1}, true); });
  expect_error(ErrorKind::type, [] { counts({1}, true, absolute_distance(AtomType::i32)); });
  expect_error(ErrorKind::type,
               [] { counts({1}, true, l1_distance(AtomType::i32), AtomType::boolean); });
  expect_error(ErrorKind::failed_cast, [] {
    counts({1}, true, l1_distance(AtomType::i8)).map(Distance(Scalar(std::uint32_t{128})));
  });
}

TEST(CountByCategories, D_SEN_1_D_DOM_1_TheMapCoversNeighboursAndMutantsAreRejected) {
  const std::vector<Row<std::int32_t>> values = {1, 2, 3};
  for (const bool others : {false, true}) {
    for (const Metric& metric : {l1_distance(AtomType::i32), l2_distance(AtomType::f64)}) {
      const auto t = counts({1, 2}, others, metric);
      expect_stable(t, values);
      // Mutant: counts the rows of each category and of all earlier ones.
      expect_rejected(t,
                      whole_function([t](const Value& rows) -> Value {
                        auto data = to_dataset<std::int32_t>(t.function()(rows));
                        for (std::size_t i = 1; i < data.size(); ++i) *data[i] += *data[i - 1];
                        return to_value(AtomType::i32, data);
                      }),
                      values);
    }
  }
}

TEST(CountByCategories, D_SEN_1_AReplacedRowMovesTwoCountsByOneEach) {
  const Domain rows = vector_of(default_atom(AtomType::i32), 3);
  const auto moved = [&](const Metric& output) {
    const auto t = make_count_by_categories(
        rows, change_one_distance(), {Scalar(1), Scalar(2)}, true, output, AtomType::i32);
    return debug(t.map(Distance(Scalar(std::uint32_t{3}))));
  };
  EXPECT_EQ(moved(l1_distance(AtomType::i32)), "6");
  EXPECT_EQ(moved(linf_distance(AtomType::i32, false)), "3");
  EXPECT_EQ(moved(l2_distance(AtomType::i32)), "6");
  expect_error(ErrorKind::type, [&] { moved(linf_distance(AtomType::i32, true)); });
}

// All datasets of three rows, one of them in no category, under the change-one distance.
double largest_move_in_l2(std::uint32_t replaced) {
  const Domain rows = vector_of(default_atom(AtomType::i32), 3);
  const auto t = make_count_by_categories(rows,
                                          change_one_distance(),
                                          {Scalar(1), Scalar(2)},
                                          false,
                                          l2_distance(AtomType::f64),
                                          AtomType::f64);
  std::vector<Dataset<std::int32_t>> all;
  for (std::int32_t code = 0; code < 27; ++code) all.push_back({code % 3, code / 3 % 3, code / 9});
  double largest = 0;
  for (const auto& here : all) {
    for (const auto& there : all) {
      std::uint32_t apart = 0;
      for (std::size_t i = 0; i < 3; ++i) apart += here[i] == there[i] ? 0 : 1;
      if (apart > replaced) continue;
      const auto x = to_dataset<double>(t.invoke(to_value(AtomType::i32, here)));
      const auto y = to_dataset<double>(t.invoke(to_value(AtomType::i32, there)));
      double squares = 0;
      for (std::size_t i = 0; i < 2; ++i) squares += (*x[i] - *y[i]) * (*x[i] - *y[i]);
      largest = std::max(largest, squares);
      const double map = number_in<double>(t.map(Distance(Scalar(apart))));
      EXPECT_GE(map * map, squares);
    }
  }
  const double map = number_in<double>(t.map(Distance(Scalar(replaced))));
  EXPECT_LT(map * map, largest * (1 + 1e-15) + 1e-15);
  return largest;
}

TEST(CountByCategories, D_SEN_1_InL2ReplacedRowsMoveCountsByRootTwoEach) {
  for (const std::uint32_t replaced : {1, 2, 3}) {
    EXPECT_EQ(largest_move_in_l2(replaced), 2.0 * replaced * replaced);
  }
}

}  // namespace
}  // namespace dp::test::count_by_categories_test
