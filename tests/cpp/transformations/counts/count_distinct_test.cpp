#include "core/transformations/counts/count_distinct.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"
#include "support/reductions.h"
#include "support/stable.h"

namespace dp::test::count_distinct_test {
namespace {

Transformation distinct(AtomType type, AtomType output = AtomType::i32) {
  return make_count_distinct(vector_of(default_atom(type)), symmetric_distance(), output);
}

TEST(CountDistinct, CountsDifferentRows) {
  EXPECT_EQ(element_in<std::int32_t>(
                distinct(AtomType::i32)
                    .invoke(make_column<std::int32_t>(AtomType::i32, {1, 1, 3, 4, 4}))),
            3);
  EXPECT_EQ(
      element_in<double>(distinct(AtomType::string, AtomType::f64)
                             .invoke(make_column<std::string>(AtomType::string, {"a", "", "a"}))),
      2.0);
  EXPECT_EQ(element_in<std::int32_t>(
                distinct(AtomType::i32).invoke(make_column<std::int32_t>(AtomType::i32, {}))),
            0);
}

TEST(CountDistinct, D_INT_1_SaturatesWhereTheTypeEnds) {
  std::vector<std::int32_t> many(1000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::int32_t>(i);
  EXPECT_EQ(element_in<std::int8_t>(
                distinct(AtomType::i32, AtomType::i8).invoke(make_column(AtomType::i32, many))),
            127);
}

TEST(CountDistinct, DoesNotDependOnThreadsOrBlocks) {
  std::vector<std::int32_t> rows(700000);
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = static_cast<std::int32_t>(i * 7919 % 20011);
  for (const Scalar& result : all_ways(distinct(AtomType::i32), AtomType::i32, rows)) {
    EXPECT_EQ(result, Scalar(std::int32_t{20011}));
  }
}

TEST(CountDistinct, RefusesWhatItMust) {
  expect_error(ErrorKind::type, [] { distinct(AtomType::f64); });
  expect_error(ErrorKind::type, [] { distinct(AtomType::i32, AtomType::string); });
  expect_error(ErrorKind::type, [] {
    make_count_distinct(
        vector_of(default_atom(AtomType::i32)), insert_delete_distance(), AtomType::i32);
  });
  expect_error(ErrorKind::failed_cast, [] {
    distinct(AtomType::i32, AtomType::i8).map(Distance(Scalar(std::uint32_t{200})));
  });
}

TEST(CountDistinct, D_SEN_1_D_DOM_1_TheMapCoversNeighboursAndMutantsAreRejected) {
  const std::vector<Row<std::int32_t>> values = {1, 2, 3};
  const auto t = distinct(AtomType::i32);
  expect_stable(t, values);
  expect_stable(distinct(AtomType::i32, AtomType::f32), values);
  expect_stable(distinct(AtomType::string), std::vector<Row<std::string>>{"a", "b", ""});
  // Mutant: counts values after the first twice.
  expect_rejected(t,
                  whole_function([t](const Value& rows) -> Value {
                    return Scalar(2 * element_in<std::int32_t>(t.function()(rows)));
                  }),
                  values);
}

}  // namespace
}  // namespace dp::test::count_distinct_test
