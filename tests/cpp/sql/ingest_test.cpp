#include "core/sql/ingest.h"

#include <gtest/gtest.h>

#include <random>

#include "core/error.h"
#include "query/query_tables.h"

namespace dp::test::sql_ingest_test {
namespace {

using query::ExactAggregate;
using query::ExactAggregates;
using sql::ResultLayout;

using Cells = std::vector<std::vector<std::string>>;

// Groups of a string and a level; rows, a sum within -3 and 7, squares, people, a grid of two
// points.
struct Result {
  ResultLayout layout{
      {plain_field("t", query::FieldType::text), whole_field("m", 0, 4)}, {0, 1, 2, 3}, {4}, 5};
  std::vector<ExactAggregate> tallies;

  Result() {
    const query::Quantiser quantiser{0, -3, 7, -3, 7, 0, std::nullopt};
    const query::ExpressionPtr x = column_named("x");
    tallies = {{ExactAggregate::Kind::rows, nullptr, {}, {}},
               {ExactAggregate::Kind::sum, x, quantiser, {}},
               {ExactAggregate::Kind::squares, x, quantiser, {}},
               {ExactAggregate::Kind::ids, nullptr, {}, {}},
               {ExactAggregate::Kind::bins, x, quantiser, {0, 5}}};
  }

  ExactAggregates of_rows(const Cells& rows) const {
    Cells columns(8);
    for (const auto& row : rows) {
      for (std::size_t i = 0; i < columns.size(); ++i) columns[i].push_back(row[i]);
    }
    return sql::ingest(layout, tallies, columns);
  }
};

TEST(SqlIngest, ReadsGroupsInOrderAndPutsSumsTogether) {
  const ExactAggregates found =
      Result().of_rows({{"1", "k62", "1", "4", "9", "-", "-", "-"},
                        {"0", "k62", "1", "10", "10", "-30", "90", "4"},
                        {"0", "k", "4", "1", "1", "-1,67108863", "0,9", "1"},
                        {"1", "k62", "1", "0", "1", "-", "-", "-"}});
  ASSERT_EQ(found.keys.size(), 2U);
  EXPECT_EQ(found.keys[0][0].text, "");
  EXPECT_EQ(found.keys[0][1].whole, 4);
  EXPECT_EQ(found.keys[1][0].text, "b");
  using Whole = std::vector<int128_t>;
  EXPECT_EQ(found.values[0], (Whole{1, 10}));
  EXPECT_EQ(found.values[1], (Whole{-1, -30}));
  EXPECT_EQ(found.values[2], (Whole{9, 90}));
  EXPECT_EQ(found.values[3], (Whole{1, 4}));
  EXPECT_EQ(found.values[4], (Whole{0, 0, 0, 0, 0, 1, 0, 0, 0, 9}));
}

TEST(SqlIngest, HoldsWhatNoTableCouldGive) {
  const ExactAggregates found =
      Result().of_rows({{"0", "k61", "1", "10", "11", "71", "-5", "99"},
                        {"0", "k61", "1", "3", "3", "3", "3", "3"},  // again
                        {"0", "k61", "9", "5", "5", "5", "5", "5"},  // no key
                        {"0", "k6", "1", "5", "5", "5", "5", "5"},
                        {"0", "kff", "1", "5", "5", "5", "5", "5"},
                        {"0", "k63", "1", "0", "0", "0", "0", "0"},
                        {"0", "k64", "2", "2", "x", "-9", "1e9", ""},
                        {"1", "k61", "1", "7", "3", "-", "-", "-"},
                        {"1", "k61", "1", "3", "30", "-", "-", "-"},
                        {"2", "k61", "1", "3", "30", "-", "-", "-"}});
  ASSERT_EQ(found.keys.size(), 2U);
  using Whole = std::vector<int128_t>;
  EXPECT_EQ(found.values[0], (Whole{10, 0}));
  EXPECT_EQ(found.values[1], (Whole{70, -6}));
  EXPECT_EQ(found.values[2], (Whole{0, 0}));
  EXPECT_EQ(found.values[3], (Whole{10, 0}));
  EXPECT_EQ(found.values[4], (Whole{0, 0, 0, 10, 0, 0, 0, 0, 0, 0}));
}

// No cell makes ingestion fail, and every number is one that this many rows could give.
TEST(SqlIngest, TakesAnyCells) {
  std::mt19937_64 engine(3);
  const std::vector<std::string> cells{"0",
                                       "1",
                                       "2",
                                       "-1",
                                       "",
                                       "k",
                                       "k61",
                                       "kzz",
                                       "-",
                                       "1,2",
                                       ",",
                                       std::string(50, '9'),
                                       "-" + std::string(37, '9'),
                                       "9223372036854775808",
                                       "NaN",
                                       std::string("\0", 1)};
  const Result result;
  for (int round = 0; round < 2000; ++round) {
    Cells rows(engine() % 6, std::vector<std::string>(8));
    for (auto& row : rows) {
      for (auto& cell : row) cell = cells[engine() % cells.size()];
      if (engine() % 2 == 0) row = {"0", "k61", "1", row[3], row[4], row[5], row[6], row[7]};
    }
    const ExactAggregates found = result.of_rows(rows);
    for (std::size_t g = 0; g < found.keys.size(); ++g) {
      const int128_t n = int128_t{1} << 62;
      EXPECT_TRUE(found.values[0][g] >= 0 && found.values[0][g] <= n);
      EXPECT_TRUE(found.values[1][g] >= -3 * n && found.values[1][g] <= 7 * n);
      EXPECT_TRUE(found.values[2][g] >= 0 && found.values[2][g] <= 49 * n);
    }
  }
}

TEST(SqlIngest, AnotherTableIsAnErrorOfTheEngine) {
  const Result result;
  try {
    sql::ingest(result.layout, result.tallies, Cells(7));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::backend);
  }
}

}  // namespace
}  // namespace dp::test::sql_ingest_test
