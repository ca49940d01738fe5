#include "core/sql/early_rows.h"

#include <gtest/gtest.h>

#include "core/sql/ingest.h"
#include "query/query_tables.h"

namespace dp::test::sql_early_rows_test {
namespace {

using query::ExactAggregate;
using query::ExactAggregates;

const sql::WrittenStatement kWritten{
    "SELECT counts", "00", {{plain_field("t", query::FieldType::text)}, {0}, {1}, 2}};

TEST(SqlEarlyRows, stand_before_a_statement_that_keeps_its_text) {
  EXPECT_EQ(sql::behind_early_rows(kWritten),
            "SELECT '~', '~', '~', '~'\nUNION ALL\nSELECT repeat('~', 20000), '~', '~', '~'\n"
            "UNION ALL\nSELECT * FROM (\nSELECT counts\n) AS counted");
}

TEST(SqlEarlyRows, change_nothing_that_comes_back) {
  const std::vector<ExactAggregate> tallies = {
      {ExactAggregate::Kind::rows, nullptr, {}, {}},
      {ExactAggregate::Kind::bins, column_named("x"), {}, {5}}};
  const std::string text(20000, '~');
  const auto ingested = [&](bool early) {
    std::vector<std::vector<std::string>> columns = {
        {"0", "1"}, {"k61", "k61"}, {"7", "2"}, {"7", "3"}};
    for (auto& column : columns) {
      if (!early) continue;
      const std::string first = &column == &columns[0] ? text : "~";
      column.insert(column.begin(), {"~", first});
    }
    return sql::ingest(kWritten.layout, tallies, columns);
  };
  const ExactAggregates plain = ingested(false);
  const ExactAggregates early = ingested(true);
  EXPECT_EQ(plain.values[0], (std::vector<int128_t>{7}));
  EXPECT_EQ(plain.values[1], (std::vector<int128_t>{0, 0, 3}));
  ASSERT_EQ(early.keys.size(), 1U);
  EXPECT_EQ(early.values, plain.values);
}

}  // namespace
}  // namespace dp::test::sql_early_rows_test
