#include "core/sql/writer.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "sql/golden_statements.h"
#include "sql/statements.h"

namespace dp::test::sql_writer_test {
namespace {

using namespace query;  // NOLINT: tests of queries speak their language
using sql::Dialect;
using sql::EngineColumn;

constexpr Dialect kDialects[] = {Dialect::postgresql, Dialect::duckdb, Dialect::spark};

std::string sql_of(Dialect dialect, const KnownStatement& known) {
  return write_sql(dialect, known.statement, known.tallies, known.table, known_salt()).sql;
}

ErrorKind kind_of_refusal(Dialect dialect, const KnownStatement& known) {
  try {
    sql_of(dialect, known);
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::ffi;  // of which there are none
}

TEST(SqlWriter, TextsAreTheKnownOnes) {
  for (const Dialect dialect : kDialects) {
    const auto d = static_cast<std::size_t>(dialect);
    EXPECT_EQ(sql_of(dialect, capped_statement()), kCapped[d]);
    EXPECT_EQ(sql_of(dialect, stepped_statement()), kStepped[d]);
    EXPECT_EQ(sql_of(dialect, joined_statement()), kJoined[d]);
  }
}

TEST(SqlWriter, NamesAreQuotedOrRefused) {
  EXPECT_EQ(sql::quoted_name(Dialect::postgresql, "a\"b;--"), "\"a\"\"b;--\"");
  EXPECT_EQ(sql::quoted_name(Dialect::duckdb, "\xc3\xa9\\'"), "\"\xc3\xa9\\'\"");
  EXPECT_EQ(sql::quoted_name(Dialect::spark, "a`b\""), "`a``b\"`");
  const std::string longest(63, 'x');
  EXPECT_EQ(sql::quoted_name(Dialect::postgresql, longest), "\"" + longest + "\"");
  EXPECT_EQ(sql::quoted_name(Dialect::duckdb, longest + "x"), "\"" + longest + "x\"");
  const std::string nothing;
  for (const Dialect dialect : kDialects) {
    EXPECT_THROW(sql::quoted_name(dialect, nothing), Error);
    EXPECT_THROW(sql::quoted_name(dialect, std::string("a\0b", 3)), Error);
    EXPECT_THROW(sql::quoted_name(dialect, "\xff"), Error);
  }
  EXPECT_THROW(sql::quoted_name(Dialect::postgresql, longest + "x"), Error);
  EXPECT_THROW(sql::quoted_name(Dialect::spark, "a${b}"), Error);
}

TEST(SqlWriter, LiteralsAreExact) {
  EXPECT_EQ(sql::bytes_literal(Dialect::postgresql, "a'\\\n\xc3\xa9"),
            "(E'a''\\\\\\x0A\\xC3\\xA9' COLLATE \"C\")");
  EXPECT_EQ(sql::bytes_literal(Dialect::duckdb, "a'"), "CAST('\\x61\\x27' AS BLOB)");
  EXPECT_EQ(sql::bytes_literal(Dialect::spark, "a${x}"), "X'61247B787D'");
  EXPECT_EQ(sql::real_literal(Dialect::postgresql, 0.1), "CAST('0.10000000000000001' AS float8)");
  EXPECT_EQ(sql::real_literal(Dialect::spark, -5e-324),
            "CAST('-4.9406564584124654e-324' AS DOUBLE)");
  EXPECT_EQ(sql::whole_literal(-9223372036854775807), "CAST(-9223372036854775807 AS BIGINT)");
}

TEST(SqlWriter, RefusesWhatNoEngineCanSayWithoutARisk) {
  KnownStatement product = capped_statement();
  product.statement.steps = {
      Mutate{"cost", call("*", {column_named("cost"), column_named("cost")})},
      product.statement.steps[0]};
  EXPECT_EQ(kind_of_refusal(Dialect::postgresql, product), ErrorKind::unsupported);
  EXPECT_EQ(kind_of_refusal(Dialect::duckdb, product), ErrorKind::unsupported);
  EXPECT_EQ(kind_of_refusal(Dialect::spark, product), ErrorKind::ffi);

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
  for (const Dialect dialect : kDialects) {
    EXPECT_EQ(kind_of_refusal(dialect, ranked), ErrorKind::unsupported);
    EXPECT_EQ(kind_of_refusal(dialect, totals), ErrorKind::unsupported);
  }
  EXPECT_EQ(kind_of_refusal(Dialect::spark, wide), ErrorKind::unsupported);
  EXPECT_EQ(kind_of_refusal(Dialect::postgresql, wide), ErrorKind::ffi);
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
  for (const Dialect dialect : kDialects) {
    for (const KnownStatement* known : {&absent, &other, &unbounded, &nameless}) {
      EXPECT_EQ(kind_of_refusal(dialect, *known), ErrorKind::source);
    }
    // Their rows can be read outside the engine.
    EXPECT_EQ(kind_of_refusal(dialect, real_id), ErrorKind::unsupported);
  }
}

}  // namespace
}  // namespace dp::test::sql_writer_test
