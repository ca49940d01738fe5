#include "core/table/prepared_cell.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "core/domains/domain.h"
#include "core/table/each_cell.h"
#include "core/table/sized_columns.h"
#include "support/expect_error.h"
#include "support/frames.h"

namespace dp::test::prepared_cell_test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(PreparedCell, NumbersAreClamped) {
  const PreparedCell cell(column("x", -1, 2), lattice_for(-1, 2));
  EXPECT_EQ(cell.value_of(0.3), 0.3);
  EXPECT_EQ(cell.value_of(-7), -1);
  EXPECT_EQ(cell.value_of(kInf), 2);
  EXPECT_EQ(cell.value_of(-kInf), -1);
  EXPECT_FALSE(cell.is_missing(kInf));
  EXPECT_TRUE(cell.is_missing(kNaN));
}

TEST(PreparedCell, WholeNumbersLoseTheirFractionBeforeTheyAreClamped) {
  const PreparedCell cell(column("x", -2, 2, true), Lattice{0});
  EXPECT_EQ(cell.value_of(1.9), 1);
  EXPECT_EQ(cell.value_of(-1.9), -1);
  EXPECT_EQ(cell.value_of(2.9), 2);
  EXPECT_TRUE(cell.is_missing(kInf));
  EXPECT_TRUE(cell.is_missing(-kInf));
}

// 4,000 draws of 5 numbers: each 800 times, give or take 7 standard deviations.
TEST(PreparedCell, MissingOnesAreUniformDrawsFromTheBoundsOfImputation) {
  const ColumnSpec ages{"age", 0, 100, 3, 7, true};
  const PreparedCell cell(ages, Lattice{0});
  std::map<double, int> counts;
  for (int i = 0; i < 4000; ++i) ++counts[cell(kNaN, secure_bits())];
  ASSERT_EQ(counts.size(), 5U);
  for (const auto& [value, count] : counts) {
    EXPECT_EQ(value, std::floor(value));
    EXPECT_GE(value, 3);
    EXPECT_LE(value, 7);
    EXPECT_NEAR(count, 800, 178);
  }
}

TEST(PreparedCell, DrawsLieOnTheLatticeThatIsGiven) {
  const PreparedCell cell(column("x", 0, 1), Lattice{-2});
  std::set<double> drawn;
  for (int i = 0; i < 400; ++i) drawn.insert(cell(kNaN, secure_bits()));
  EXPECT_EQ(drawn, (std::set<double>{0, 0.25, 0.5, 0.75, 1}));
}

// Sized columns
// ------------------------------------------------------------------------------------

Doubles cells_of(const ColumnPtr& rows) {
  Doubles cells;
  each_cell<double>(*rows, [&](double x, std::size_t) { cells.push_back(x); });
  return cells;
}

const std::vector<ColumnSpec> kColumns{column("x"), column("y")};

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
}  // namespace dp::test::prepared_cell_test
