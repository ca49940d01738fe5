#include "core/sql/writer.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/sql/engines/registry.h"
#include "sql/golden_statements.h"
#include "sql/statements.h"

namespace dp::test::sql_writer_test {
namespace {

using namespace query;  // NOLINT: tests of queries speak their language
using sql::Dialect;
using sql::EngineColumn;

const Dialect& postgresql() { return sql::dialect_named("PostgreSQL"); }
const Dialect& duckdb() { return sql::dialect_named("DuckDB"); }
const Dialect& spark() { return sql::dialect_named("Spark"); }

std::string sql_of(const Dialect& dialect, const KnownStatement& known) {
  return write_sql(dialect, known.statement, known.tallies, known.table, known_salt()).sql;
}

ErrorKind kind_of_refusal(const Dialect& dialect, const KnownStatement& known) {
  try {
    sql_of(dialect, known);
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::ffi;  // of which there are none
}

TEST(SqlWriter, TextsAreTheKnownOnes) {
  for (const auto& [name, text] : kCapped) {
    const Dialect& dialect = sql::dialect_named(name);
    EXPECT_EQ(sql_of(dialect, capped_statement()), text);
    EXPECT_EQ(sql_of(dialect, stepped_statement()), kStepped.at(name));
    EXPECT_EQ(sql_of(dialect, joined_statement()), kJoined.at(name));
  }
}

TEST(SqlWriter, NamesAreQuotedOrRefused) {
  EXPECT_EQ(postgresql().quoted_name("a\"b;--"), "\"a\"\"b;--\"");
  EXPECT_EQ(duckdb().quoted_name("\xc3\xa9\\'"), "\"\xc3\xa9\\'\"");
  EXPECT_EQ(spark().quoted_name("a`b\""), "`a``b\"`");
  const std::string longest(63, 'x');
  EXPECT_EQ(postgresql().quoted_name(longest), "\"" + longest + "\"");
  EXPECT_EQ(duckdb().quoted_name(longest + "x"), "\"" + longest + "x\"");
  const std::string nothing;
  for (const Dialect* dialect : sql::dialects()) {
    EXPECT_THROW(dialect->quoted_name(nothing), Error);
    EXPECT_THROW(dialect->quoted_name(std::string("a\0b", 3)), Error);
    EXPECT_THROW(dialect->quoted_name("\xff"), Error);
  }
  EXPECT_THROW(postgresql().quoted_name(longest + "x"), Error);
  EXPECT_THROW(spark().quoted_name("a${b}"), Error);
}

TEST(SqlWriter, LiteralsAreExact) {
  EXPECT_EQ(postgresql().bytes_literal("a'\\\n\xc3\xa9"),
            "(E'a''\\\\\\x0A\\xC3\\xA9' COLLATE \"C\")");
  EXPECT_EQ(duckdb().bytes_literal("a'"), "CAST('\\x61\\x27' AS BLOB)");
  EXPECT_EQ(spark().bytes_literal("a${x}"), "X'61247B787D'");
  EXPECT_EQ(postgresql().real_literal(0.1), "CAST('0.10000000000000001' AS float8)");
  EXPECT_EQ(spark().real_literal(-5e-324), "CAST('-4.9406564584124654e-324' AS DOUBLE)");
  EXPECT_EQ(sql::whole_literal(-9223372036854775807), "CAST(-9223372036854775807 AS BIGINT)");
}

TEST(SqlWriter, RefusesWhatNoEngineCanSayWithoutARisk) {
  KnownStatement product = capped_statement();
  product.statement.steps = {
      Mutate{"cost", call("*", {column_named("cost"), column_named("cost")})},
      product.statement.steps[0]};
  EXPECT_EQ(kind_of_refusal(postgresql(), product), ErrorKind::unsupported);
  EXPECT_EQ(kind_of_refusal(duckdb(), product), ErrorKind::unsupported);
  EXPECT_EQ(kind_of_refusal(spark(), product), ErrorKind::ffi);

  KnownStatement ranked = capped_statement();  // a filter after the caps needs the reals themselves
  ranked.statement.steps.push_back(Filter{call(">", {column_named("cost"), written(1.5)})});
  KnownStatement wide = capped_statement();
  wide.tallies[4].quantiser.most = (std::int64_t{1} << 53) + 1;
  KnownStatement totals = stepped_statement();
  totals.statement.source.fields[2] = real_field("ms", 0, 1);
  totals.statement.steps = {
      PerUnit{{}, {{"seconds", PerUnitValue::Kind::sum, column_named("ms")}}}};
  totals.statement.by = {};
  totals.tallies.resize(1);
  for (const Dialect* dialect : sql::dialects()) {
    EXPECT_EQ(kind_of_refusal(*dialect, ranked), ErrorKind::unsupported);
    EXPECT_EQ(kind_of_refusal(*dialect, totals), ErrorKind::unsupported);
  }
  EXPECT_EQ(kind_of_refusal(spark(), wide), ErrorKind::unsupported);
  EXPECT_EQ(kind_of_refusal(postgresql(), wide), ErrorKind::ffi);
}

// Adds 80 columns before the caps. Each uses the previous one, or `stay` if `apart`.
KnownStatement with_columns(bool apart) {
  KnownStatement known = capped_statement();
  std::vector<query::Step> steps;
  std::string last = "stay";
  for (int i = 0; i < 80; ++i) {
    const std::string name = "x" + std::to_string(i);
    steps.push_back(Mutate{name, call("+", {column_named(last), written_whole(i)})});
    if (!apart) last = name;
  }
  steps.push_back(Filter{call(">", {column_named("x79"), written_whole(1)})});
  steps.push_back(known.statement.steps[0]);
  known.statement.steps = steps;
  return known;
}

TEST(SqlWriter, ColumnsThatDoNotUseEachOtherShareAStep) {
  const auto steps = [](const std::string& text) {
    std::size_t count = 0;
    for (std::size_t i = text.find(" AS (SELECT "); i != std::string::npos; ++count) {
      i = text.find(" AS (SELECT ", i + 1);
    }
    return count;
  };
  const std::size_t plain = steps(sql_of(postgresql(), capped_statement()));
  EXPECT_LE(steps(sql_of(postgresql(), with_columns(true))), plain + 2);
  EXPECT_GE(steps(sql_of(postgresql(), with_columns(false))), plain + 80);
}

TEST(SqlWriter, RefusesAStatementThatIsTooLongForSpark) {
  EXPECT_EQ(kind_of_refusal(spark(), with_columns(true)), ErrorKind::ffi);
  EXPECT_EQ(kind_of_refusal(spark(), with_columns(false)), ErrorKind::unsupported);
  EXPECT_EQ(kind_of_refusal(duckdb(), with_columns(false)), ErrorKind::ffi);
}

TEST(SqlWriter, RefusesColumnsThatAreNotAsDeclared) {
  KnownStatement absent = capped_statement();
  absent.table.columns.pop_back();
  KnownStatement other = capped_statement();
  other.table.columns[4].kind = EngineColumn::Kind::text;
  KnownStatement unbounded = stepped_statement();
  unbounded.statement.source.fields[2] = plain_field("ms", FieldType::real);
  unbounded.statement.steps = {Filter{call(">", {column_named("ms"), written_whole(1)})}};
  unbounded.statement.by = {};
  unbounded.tallies.resize(1);
  KnownStatement real_id = stepped_statement();
  real_id.table.columns[0].kind = EngineColumn::Kind::real;
  KnownStatement nameless = stepped_statement();
  nameless.table.path.clear();
  for (const Dialect* dialect : sql::dialects()) {
    for (const KnownStatement* known : {&absent, &other, &unbounded, &nameless}) {
      EXPECT_EQ(kind_of_refusal(*dialect, *known), ErrorKind::source);
    }
    // Their rows can be read outside the engine.
    EXPECT_EQ(kind_of_refusal(*dialect, real_id), ErrorKind::unsupported);
  }
}

}  // namespace
}  // namespace dp::test::sql_writer_test
