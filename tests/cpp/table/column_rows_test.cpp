#include "core/table/column_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>

#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/frames.h"
#include "support/results.h"

namespace dp::test::column_rows_test {
namespace {

Doubles rows_of(const Transformation& t, const Value& frame) { return doubles_in(t.invoke(frame)); }

TEST(ColumnRows, TheyAreThoseOfTheNamedColumnInTheirOrder) {
  const Transformation t = make_column_rows("y", 3);
  EXPECT_EQ(t.input_domain(), Domain(DataFrameDomain{AtomType::string}));
  EXPECT_EQ(t.output_domain(), vector_of(default_atom(AtomType::f64), 3));
  EXPECT_EQ(rows_of(t, frame_of({1, 2, 3}, {6, kInf, 4})), (Doubles{6, kInf, 4}));
  EXPECT_TRUE(std::isnan(rows_of(t, frame_of({1, 2, 3}, {6, kNaN, 4}))[1]));
}

TEST(ColumnRows, OtherNumbersOfRowsBecomeTheWantedOne) {
  const Doubles few = rows_of(make_column_rows("x", 4), frame_of({5, 7}, {1, 1}));
  EXPECT_EQ(few.size(), 4U);
  EXPECT_EQ(std::count_if(few.begin(), few.end(), [](double x) { return std::isnan(x); }), 2);
  EXPECT_EQ(std::count(few.begin(), few.end(), 5), 1);
  const Doubles many = rows_of(make_column_rows("x", 2), frame_of({5, 6, 7}, {1, 1, 1}));
  EXPECT_EQ(many.size(), 2U);
  EXPECT_NE(many[0], many[1]);
}

// Number of positions where rows differ.
std::size_t places_apart(const Doubles& a, const Doubles& b) {
  std::size_t apart = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool same = a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]));
    apart += same ? 0 : 1;
  }
  return apart;
}

// Largest number of positions that one replaced row out of three changes.
std::size_t most_changed(const std::function<Doubles(const Value&)>& rows) {
  const Doubles values = {0, 1, kNaN};
  std::size_t most = 0;
  for (const double x : values) {
    for (const double y : values) {
      for (const double z : values) {
        for (const double other : values) {
          const Doubles ones(3, 1);
          most = std::max(
              most,
              places_apart(rows(frame_of({x, y, z}, ones)), rows(frame_of({x, y, other}, ones))));
        }
      }
    }
  }
  return most;
}

TEST(ColumnRows, D_SEN_1_AReplacedRowChangesOneElementAndMutantsChangeMore) {
  const Transformation t = make_column_rows("x", 3);
  EXPECT_EQ(most_changed([&](const Value& frame) { return rows_of(t, frame); }), 1U);
  // Mutant: an element depends on a different row.
  const auto mutant = [&](const Value& frame) {
    Doubles rows = rows_of(t, frame);
    rows[0] += std::isnan(rows[2]) ? 1 : rows[2];
    return rows;
  };
  EXPECT_GT(most_changed(mutant), 1U);
  for (const std::uint32_t replaced : {0U, 1U, 3U}) {
    EXPECT_EQ(number_in<std::uint32_t>(t.map(Distance(Scalar(replaced)))), replaced);
  }
}

TEST(ColumnRows, AFrameWithoutTheColumnIsRefused) {
  expect_error(ErrorKind::failed_function,
               [] { make_column_rows("z", 1).invoke(frame_of({1}, {1})); });
}

}  // namespace
}  // namespace dp::test::column_rows_test
