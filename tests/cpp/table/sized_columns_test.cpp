#include "core/table/sized_columns.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "core/domains/domain.h"
#include "core/table/each_cell.h"
#include "support/expect_error.h"
#include "support/frames.h"

namespace dp::test::sized_columns_test {
namespace {

Doubles cells_of(const ColumnPtr& rows) {
  Doubles cells;
  each_cell<double>(*rows, [&](double x, std::size_t) { cells.push_back(x); });
  return cells;
}

const std::vector<std::string> kColumns{"x", "y"};

TEST(SizedColumns, AsManyRowsAsWantedStayAsTheyAre) {
  const Value frame = frame_of({1, 2, 3}, {4, 5, 6});
  const auto columns = sized_columns(*frame_in(frame), kColumns, 3, RowOrder::as_given);
  EXPECT_EQ(cells_of(columns[0]), (Doubles{1, 2, 3}));
  EXPECT_EQ(cells_of(columns[1]), (Doubles{4, 5, 6}));
}

TEST(SizedColumns, RowsStayTogetherInAnyOrder) {
  Doubles x, y;
  for (int i = 0; i < 500; ++i) {
    x.push_back(i);
    y.push_back(-i);
  }
  const Value frame = frame_of(x, y);
  for (const std::size_t size : {400U, 500U, 600U}) {
    const auto columns = sized_columns(*frame_in(frame), kColumns, size, RowOrder::random);
    const Doubles first = cells_of(columns[0]);
    const Doubles second = cells_of(columns[1]);
    ASSERT_EQ(first.size(), size);
    EXPECT_NE(first, x);
    std::multiset<double> seen;
    std::size_t missing = 0;
    for (std::size_t i = 0; i < size; ++i) {
      EXPECT_EQ(std::isnan(first[i]), std::isnan(second[i]));
      if (std::isnan(first[i])) {
        ++missing;
      } else {
        EXPECT_EQ(first[i], -second[i]);
        EXPECT_EQ(seen.count(first[i]), 0U);
        seen.insert(first[i]);
      }
    }
    EXPECT_EQ(missing, size > 500 ? size - 500 : 0);
  }
}

TEST(SizedColumns, ColumnsOfDifferentLengthAreOutsideOfTheDomain) {
  const Value frame = frame_of({1, 2, 3}, {4, 5});
  for (const RowOrder order : {RowOrder::as_given, RowOrder::random}) {
    const std::string sentence = expect_error(
        ErrorKind::failed_function, [&] { sized_columns(*frame_in(frame), kColumns, 3, order); });
    const std::string same = expect_error(ErrorKind::failed_function, [] { refuse_nonmember(); });
    EXPECT_EQ(sentence, same);
  }
}

}  // namespace
}  // namespace dp::test::sized_columns_test
