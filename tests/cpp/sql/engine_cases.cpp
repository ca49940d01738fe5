#include "sql/engine_cases.h"

#include <cstdio>

#include "core/error.h"
#include "core/sql/engines/registry.h"

namespace dp::test {
namespace {

using namespace random_tables;

using Kind = sql::EngineColumn::Kind;

// Expressions that preserve column types, so they can be combined in any order.
class Steps {
 public:
  explicit Steps(std::uint64_t seed) : random_(seed ^ 0x9e3779b97f4a7c15) {}

  std::size_t below(std::size_t n) { return random_.below(n); }

  ExpressionPtr number(int depth) {
    if (depth == 0) {
      return below(3) == 0 ? written_whole(static_cast<std::int64_t>(below(9)) - 4)
                           : column_named(below(2) == 0 ? "n" : "m");
    }
    const ExpressionPtr a = number(depth - 1);
    const ExpressionPtr b = number(depth - 1);
    switch (below(10)) {
      case 0:
        return call("+", {a, b});
      case 1:
        return call("-", {a, b});
      case 2:
        return call("*", {a, b});
      case 3:
        return call("%/%", {a, divisor()});
      case 4:
        return call("%%", {a, divisor()});
      case 5:
        return call("abs", {a});
      case 6:
        return call(below(2) == 0 ? "pmin" : "pmax", {a, b});
      case 7:
        return call("coalesce", {a, b});
      case 8:
        return call("if_else", {condition(depth - 1), a, b});
      default:
        return call("case_when", {condition(depth - 1), a, condition(0), b, number(0)});
    }
  }

  ExpressionPtr real(int depth) {
    if (depth == 0) return below(3) == 0 ? written(0.75) : column_named("x");
    switch (below(5)) {
      case 0:
        return call("+", {real(depth - 1), real(depth - 1)});
      case 1:
        return call("-", {real(depth - 1), number(0)});
      case 2:
        return call("pmax", {real(depth - 1), real(0)});
      case 3:
        return call("if_else", {condition(depth - 1), real(depth - 1), real(0)});
      default:
        return call("abs", {real(depth - 1)});
    }
  }

  ExpressionPtr condition(int depth) {
    if (depth == 0) {
      switch (below(7)) {
        case 0:
          return call("==", {column_named("t"), written_text("p")});
        case 1:
          return call("<", {column_named("t"), written_text("a")});
        case 2:
          return call("%in%", {column_named("k"), written_text("A"), written_missing()});
        case 3:
          return call("is.na", {column_named("x")});
        case 4:
          return call("<=", {column_named("x"), written(1.25)});
        case 5:
          return call("!=", {column_named("k"), column_named("t")});
        default:
          return call("between", {column_named("n"), written_whole(-1), written_whole(3)});
      }
    }
    const ExpressionPtr a = condition(depth - 1);
    const ExpressionPtr b = condition(depth - 1);
    switch (below(4)) {
      case 0:
        return call("&", {a, b});
      case 1:
        return call("|", {a, b});
      case 2:
        return call("!", {a});
      default:
        return call(">", {number(depth), number(0)});
    }
  }

  JoinPublic join() {
    JoinPublic join;
    join.how = static_cast<JoinPublic::How>(below(4));
    join.by = {{"k", "key"}};
    if (below(3) == 0) join.by = {{"m", "key"}};
    const bool text = join.by[0].first == "k";
    join.table.fields = {plain_field("key", text ? FieldType::text : FieldType::integer),
                         plain_field("w", FieldType::integer),
                         plain_field("label", FieldType::text)};
    join.table.columns.resize(3);
    const std::size_t rows = below(6);
    for (std::size_t r = 0; r < rows; ++r) {
      Literal key, weight, label;
      if (text) {
        key.value = random_.one_of<std::string>({"A", "b", "\xc3\xa9", "e\xcc\x81"});
      } else {
        key.value = static_cast<std::int64_t>(below(3));
        if (below(3) == 0) key.value = random_.one_of<double>({-0.0, 0.0, 1.0});
        if (below(4) == 0) key.value = below(2) == 0;
      }
      if (below(6) == 0) key.value = std::monostate();
      weight.value = static_cast<std::int64_t>(r);
      if (below(3) > 0) label.value = std::string(below(2) == 0 ? "l'\\" : "\xc3\xa9");
      join.table.columns[0].push_back(key);
      join.table.columns[1].push_back(weight);
      join.table.columns[2].push_back(label);
    }
    return join;
  }

  // Adds the steps before the caps.
  void add_to(Statement& statement) {
    std::vector<Step> steps;
    if (below(3) == 0) steps.push_back(Filter{condition(2)});
    if (below(3) == 0) steps.push_back(Mutate{"n", held(number(2))});
    if (below(3) == 0) steps.push_back(Mutate{"x", call("pmin", {real(2), written(5.0)})});
    if (below(4) == 0) steps.push_back(Mutate{"cell", cut()});
    if (below(4) == 0) steps.push_back(join());
    statement.steps.insert(statement.steps.begin(), steps.begin(), steps.end());
    if (below(5) == 0) statement.steps.push_back(Filter{condition(1)});
  }

 private:
  ExpressionPtr divisor() { return written_whole(below(2) == 0 ? 3 : -2); }

  static ExpressionPtr held(const ExpressionPtr& of) {
    return call("pmax", {call("pmin", {of, written_whole(4)}), written_whole(-3)});
  }

  static ExpressionPtr cut() {
    return call("cut", {column_named("x"), written(-2.0), written(0.5), written(3.0)});
  }

  Tables random_;
};

// If steps follow the caps, real columns would be ranked by their text.
bool needs_reals_after(const Error& error) {
  return std::string(error.what()).find("reals that are needed after") != std::string::npos;
}

std::string real_text(double x) {
  if (!(x == x)) return "NaN";
  if (x - x != 0) return x > 0 ? "Infinity" : "-Infinity";
  char text[64];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

std::string cell_text(const Cell& cell, Kind kind) {
  if (is_missing(cell)) return "NULL";
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return std::to_string(*whole);
  if (const auto* real = std::get_if<double>(&cell)) {
    const char* type = kind == Kind::decimal ? "numeric" : "float8";
    return "CAST('" + real_text(*real) + "' AS " + type + ")";
  }
  return "'" + std::get<std::string>(cell) + "'";
}

std::string type_text(Kind kind, bool narrow) {
  switch (kind) {
    case Kind::whole:
      return "BIGINT";
    case Kind::decimal:
      return "numeric";
    case Kind::real:
      return "float8";
    default:
      return narrow ? "varchar(20)" : "text";
  }
}

}  // namespace

EngineCase engine_case(std::uint64_t seed) {
  const sql::Dialect& dialect = sql::dialect_named("PostgreSQL");
  for (std::uint64_t attempt = 0;; ++attempt) {
    EngineCase made;
    const std::uint64_t own = seed + (attempt << 32);
    made.one = Tables(own).make();
    if (seed % 3 > 0) Steps(own).add_to(made.one.statement);
    made.salt = salt_of(seed, Salt::Hash::sha256);
    made.table.path = {"T'\"" + std::to_string(seed)};
    const bool numeric = seed % 4 == 1;
    made.table.columns = {{"i", Kind::whole},
                          {"j", Kind::text},
                          {"k", Kind::text},
                          {"t", Kind::text},
                          {"m", Kind::whole},
                          {"x", numeric ? Kind::decimal : Kind::real},
                          {"n", Kind::whole}};
    try {
      made.written =
          sql::write_sql(dialect, made.one.statement, made.one.tallies, made.table, made.salt);
    } catch (const Error& error) {
      if (!needs_reals_after(error)) throw;
      continue;
    }
    const std::string path = sql::quoted_path(dialect, made.table);
    made.load = "CREATE TEMP TABLE " + path + " (";
    for (const sql::EngineColumn& column : made.table.columns) {
      if (column.name != "i") made.load += ", ";
      made.load += column.name + " " + type_text(column.kind, seed % 5 == 2);
    }
    made.load += ");\n";
    for (const PlainRow& row : made.one.table.rows) {
      made.load += "INSERT INTO " + path + " VALUES (";
      for (const sql::EngineColumn& column : made.table.columns) {
        if (column.name != "i") made.load += ", ";
        made.load += cell_text(row.at(column.name), column.kind);
      }
      made.load += ");\n";
    }
    return made;
  }
}

query::ExactAggregates expected_of(const EngineCase& one) {
  return tally(one.one.statement, one.one.tallies, kept(one.one.table, true), one.salt);
}

}  // namespace dp::test
