#include "core/query/column_rules.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <utility>

namespace dp::query {
namespace {

using Reading = ColumnRule::Reading;

constexpr std::size_t kDeclarations = std::size(kDeclarationNames);

// How a kind of column is read under each declaration: "" unchanged, "!" not at all, else the rule.
using KindRules = std::array<const char*, kDeclarations>;

constexpr const char* kTruth = "FALSE is 0 and TRUE is 1";
constexpr const char* kNearest = "rounds to the nearest whole number, ties to even";
constexpr const char* kWholeLevels = "a number that is no level is missing";
constexpr const char* kTextLevels = "a text that is no level is missing";
constexpr const char* kTextNumbers =
    "reads texts such as 1 and 01; one that is no level is missing";
constexpr const char* kIsoDates =
    "reads texts such as 2026-01-31, also before a time; all others are missing";
constexpr const char* kValueLabels = "value labels are levels, with `levels = \"public\"`";
constexpr const char* kDayInZone = "the day in the time zone `tz`, which you declare";
constexpr const char* kDayOfMoment = "the day that the date-time says";
// Numbers of days do not state their origin.
constexpr const char* kDaysOfR =
    "as.Date(as.numeric(x), origin = \"1970-01-01\") # Excel: \"1899-12-30\"";
constexpr const char* kDaysSince1970 = "numbers are days since 1970-01-01";

const std::map<std::string, KindRules>& rules_of_kinds() {
  static const std::map<std::string, KindRules> rules{
      //              flag  int        num  labels        numbers       text  date  id
      {"logical", {"", kTruth, kTruth, "!", kTruth, "!", "!", ""}},
      {"whole", {"!", "", "", "!", kWholeLevels, "!", "!", ""}},
      {"real", {"!", kNearest, "", "!", kWholeLevels, "!", "!", ""}},
      {"decimal", {"!", kNearest, "", "!", kWholeLevels, "!", "!", "!"}},
      {"text", {"!", "!", "!", kTextLevels, kTextNumbers, "", kIsoDates, ""}},
      {"date", {"!", "!", "!", "!", "!", "!", "", ""}},
      {"labelled", {"!", kNearest, "", kValueLabels, kWholeLevels, "!", "!", ""}},
      {"time", {"!", "!", "!", "!", "!", "!", kDayInZone, "!"}},
      {"moment", {"!", "!", "!", "!", "!", "!", kDayOfMoment, "!"}},
      {"", {"!", "!", "!", "!", "!", "!", "!", "!"}},
  };
  return rules;
}

// R code that converts a column to a type that the declaration accepts.
using Conversions = std::map<Declaration, const char*>;

struct ClassRow {
  const char* column;
  const char* kind;
  Conversions conversions;
};

using D = Declaration;

Conversions each_of(std::initializer_list<D> declarations, const char* code) {
  Conversions conversions;
  for (const D declaration : declarations) conversions[declaration] = code;
  return conversions;
}

Conversions both(Conversions a, const Conversions& b) {
  a.insert(b.begin(), b.end());
  return a;
}

Conversions of_durations(const char* number) {
  return both(each_of({D::whole, D::real, D::numbers}, number),
              both(each_of({D::labels, D::text, D::id}, "format(x)"), each_of({D::flag}, "x > 0")));
}

const std::vector<ClassRow>& classes_of_r() {
  static const Conversions of_numbers =
      both(each_of({D::labels, D::text}, "as.character(x)"),
           both(each_of({D::flag}, "x == 1"), each_of({D::date}, kDaysOfR)));
  static const Conversions of_texts =
      both(each_of({D::whole, D::real}, "as.numeric(x)"), each_of({D::flag}, "x == \"yes\""));
  static const Conversions of_factors =
      both(each_of({D::whole, D::real}, "as.numeric(as.character(x))"),
           each_of({D::flag}, "x == \"yes\""));
  static const Conversions of_dates =
      both(each_of({D::whole, D::real}, "as.numeric(x)"),
           both(each_of({D::labels, D::text}, "format(x)"),
                both(each_of({D::numbers}, "as.integer(format(x, \"%Y\"))"),
                     each_of({D::flag}, "x >= as.Date(\"2026-01-01\")"))));
  static const Conversions of_times =
      both(each_of({D::whole, D::real}, "as.numeric(x)"),
           both(each_of({D::date}, "dp_date(tz = \"UTC\")"),
                both(each_of({D::labels, D::text, D::id}, "format(x, tz = \"UTC\")"),
                     both(each_of({D::numbers}, "as.integer(format(x, \"%Y\", tz = \"UTC\"))"),
                          each_of({D::flag}, "x >= as.POSIXct(\"2026-01-01\", tz = \"UTC\")")))));
  const std::initializer_list<D> all = {
      D::flag, D::whole, D::real, D::labels, D::numbers, D::text, D::date, D::id};
  static const std::vector<ClassRow> rows{
      {"logical", "logical", each_of({D::labels, D::text}, "as.character(x)")},
      {"integer", "whole", of_numbers},
      {"integer64", "whole", of_numbers},
      {"numeric", "real", of_numbers},
      {"character", "text", of_texts},
      {"factor", "text", of_factors},
      {"Date", "date", of_dates},
      {"haven_labelled", "labelled", of_numbers},
      {"haven_labelled text", "text", of_factors},
      {"POSIXct", "time", of_times},
      {"POSIXlt", "", each_of(all, "as.POSIXct(x)")},
      {"difftime", "", of_durations("as.numeric(x, units = \"days\")")},
      {"hms", "", of_durations("as.numeric(x, units = \"secs\")")},
      {"AsIs", "", each_of(all, "structure(x, class = setdiff(class(x), \"AsIs\"))")},
      {"matrix", "", each_of(all, "x[, 1]")},
      {"data.frame", "", each_of(all, "x[[1]]")},
      {"list", "", each_of(all, "unlist(x)")},
      {"other", "", {}},
  };
  return rows;
}

struct TypeRow {
  const char* type;
  const char* kind;
};

// Types in lower case, without the parts in parentheses.
const std::vector<TypeRow>& types_of(DataSource source) {
  static const std::vector<TypeRow> arrow{{"bool", "logical"},
                                          {"int8", "whole"},
                                          {"int16", "whole"},
                                          {"int32", "whole"},
                                          {"int64", "whole"},
                                          {"uint8", "whole"},
                                          {"uint16", "whole"},
                                          {"uint32", "whole"},
                                          {"float", "real"},
                                          {"double", "real"},
                                          {"string", "text"},
                                          {"large_string", "text"},
                                          {"dictionary", "text"},
                                          {"date32", "date"},
                                          {"date64", "date"},
                                          {"uint64", ""},
                                          {"halffloat", ""},
                                          {"decimal128", ""},
                                          {"timestamp", "moment"},
                                          {"timestamp with time zone", ""},
                                          {"time64", ""},
                                          {"duration", ""},
                                          {"list", ""},
                                          {"struct", ""},
                                          {"binary", ""},
                                          {"other", ""}};
  // SQLite has a type for each cell; columns use the affinity of their declared type.
  static const std::vector<TypeRow> sqlite{{"integer", "whole"},
                                           {"real", "real"},
                                           {"text", "text"},
                                           {"numeric", "any"},
                                           {"blob", "any"},
                                           {"other", "any"}};
  static const std::vector<TypeRow> duckdb{{"boolean", "logical"},
                                           {"tinyint", "whole"},
                                           {"smallint", "whole"},
                                           {"integer", "whole"},
                                           {"bigint", "whole"},
                                           {"utinyint", "whole"},
                                           {"usmallint", "whole"},
                                           {"uinteger", "whole"},
                                           {"float", "real"},
                                           {"double", "real"},
                                           {"decimal", "decimal"},
                                           {"varchar", "text"},
                                           {"date", "date"},
                                           {"hugeint", ""},
                                           {"ubigint", ""},
                                           {"timestamp", "moment"},
                                           {"timestamp_s", "moment"},
                                           {"timestamp_ms", "moment"},
                                           {"timestamp_ns", "moment"},
                                           {"timestamp with time zone", ""},
                                           {"time", ""},
                                           {"interval", ""},
                                           {"enum", ""},
                                           {"blob", ""},
                                           {"other", ""}};
  static const std::vector<TypeRow> postgresql{{"boolean", "logical"},
                                               {"smallint", "whole"},
                                               {"integer", "whole"},
                                               {"bigint", "whole"},
                                               {"real", "real"},
                                               {"double precision", "real"},
                                               {"numeric", "decimal"},
                                               {"text", "text"},
                                               {"character varying", "text"},
                                               {"character", "text"},
                                               {"citext", "text"},
                                               {"uuid", "text"},
                                               {"date", "date"},
                                               {"timestamp without time zone", "moment"},
                                               {"timestamp with time zone", ""},
                                               {"time without time zone", ""},
                                               {"interval", ""},
                                               {"json", ""},
                                               {"bytea", ""},
                                               {"other", ""}};
  static const std::vector<TypeRow> spark{{"boolean", "logical"},
                                          {"tinyint", "whole"},
                                          {"smallint", "whole"},
                                          {"int", "whole"},
                                          {"bigint", "whole"},
                                          {"float", "real"},
                                          {"double", "real"},
                                          {"decimal", "decimal"},
                                          {"string", "text"},
                                          {"varchar", "text"},
                                          {"date", "date"},
                                          {"char", ""},
                                          {"timestamp", ""},
                                          {"timestamp_ntz", "moment"},
                                          {"binary", ""},
                                          {"other", ""}};
  switch (source) {
    case DataSource::arrow:
      return arrow;
    case DataSource::sqlite:
      return sqlite;
    case DataSource::duckdb:
      return duckdb;
    case DataSource::postgresql:
      return postgresql;
    default:
      return spark;
  }
}

const char* sql_type_for(DataSource source, Declaration declaration) {
  switch (declaration) {
    case D::flag:
      return "boolean";
    case D::whole:
    case D::numbers:
      return "bigint";
    case D::real:
      return source == DataSource::postgresql ? "double precision" : "double";
    case D::date:
      return "date";
    case D::id:
    case D::labels:
    case D::text:
      break;
  }
  if (source == DataSource::spark) return "string";
  return source == DataSource::duckdb ? "varchar" : "text";
}

std::string sql_conversion(DataSource source, Declaration declaration) {
  if (source != DataSource::sqlite) {
    return std::string("CAST(x AS ") + sql_type_for(source, declaration) + ")";
  }
  switch (declaration) {
    case D::flag:
      return "x = 'yes'";
    case D::whole:
    case D::numbers:
      return "CAST(x AS INTEGER)";
    case D::real:
      return "CAST(x AS REAL)";
    case D::date:
      return "date(x)";
    default:
      return "CAST(x AS TEXT)";
  }
}

const char* arrow_type_for(Declaration declaration, const char* type) {
  // Arrow casts times to whole numbers only.
  const bool is_time = std::strncmp(type, "timestamp", 9) == 0;
  if (is_time && declaration == D::real) declaration = D::whole;
  switch (declaration) {
    case D::flag:
      return "x$cast(arrow::boolean())";
    case D::whole:
    case D::numbers:
      return "x$cast(arrow::int64())";
    case D::real:
      return "x$cast(arrow::float64())";
    case D::date:
      return "x$cast(arrow::date32())";
    default:
      return "x$cast(arrow::utf8())";
  }
}

// Code that converts instants to the days of a time zone.
const char* instant_conversion(DataSource source) {
  switch (source) {
    case DataSource::arrow:
      return "arrow::call_function(\"local_timestamp\", x$cast(arrow::timestamp(\"us\", "
             "\"UTC\")))$cast(arrow::date32())";
    case DataSource::spark:
      return "CAST(convert_timezone('UTC', x) AS date)";
    default:
      return "CAST(x AT TIME ZONE 'UTC' AS date)";
  }
}

bool is_instant(DataSource source, const char* type) {
  return std::strstr(type, "with time zone") != nullptr ||
         (source == DataSource::spark && std::strcmp(type, "timestamp") == 0);
}

// The affinity determines the possible cells; most cells of a different type would be missing.
const char* rule_in_sqlite(const std::string& kind, Declaration declaration) {
  const bool of_texts = declaration == D::labels || declaration == D::text;
  const bool of_numbers = declaration == D::whole || declaration == D::real ||
                          declaration == D::numbers || declaration == D::flag;
  static constexpr const char* kFlags = "0 is FALSE; other whole numbers are TRUE";
  static constexpr const char* kCells = "cells of another type are missing";
  if (declaration == D::id) return kind == "any" ? kCells : "";
  if (kind == "any") return kCells;
  if (kind == "text" && declaration == D::numbers) return kTextNumbers;
  if (kind == "text" && of_numbers) return "!";
  if (kind == "text" && declaration == D::date) return kIsoDates;
  if (kind == "text") return declaration == D::labels ? kTextLevels : "";
  if (of_texts) return "!";
  if (declaration == D::flag) return kind == "whole" ? kFlags : "!";
  if (declaration == D::date) return kDaysSince1970;
  if (declaration == D::numbers) return kWholeLevels;
  return declaration == D::whole && kind == "real" ? kNearest : "";
}

const char* rule_in(DataSource source, const std::string& kind, Declaration declaration) {
  if (source == DataSource::sqlite) return rule_in_sqlite(kind, declaration);
  const bool counts_itself = source == DataSource::duckdb || source == DataSource::postgresql ||
                             source == DataSource::spark;
  // Engines disagree on whether a text that is not a day raises an error.
  if (counts_itself && kind == "text" && declaration == D::date) return "!";
  if (source == DataSource::spark && kind == "real" && declaration == D::id) return "!";
  if (kind == "decimal" && declaration == D::id && source == DataSource::duckdb) {
    return "rows are read into R";
  }
  return rules_of_kinds().at(kind)[static_cast<std::size_t>(declaration)];
}

void add_rule(DataSource source,
              const char* column,
              const char* kind,
              Declaration declaration,
              const std::string& conversion,
              std::vector<ColumnRule>& to) {
  const char* rule = rule_in(source, kind, declaration);
  ColumnRule row{source, column, kind, declaration, Reading::as_it_is, ""};
  if (std::strcmp(rule, "!") == 0) {
    row.reading = Reading::refused;
    row.how = conversion;
  } else if (*rule != '\0') {
    row.reading = Reading::by_rule;
    row.how = rule;
  }
  to.push_back(std::move(row));
}

std::vector<ColumnRule> made_rules() {
  std::vector<ColumnRule> rules;
  for (std::size_t d = 0; d < kDeclarations; ++d) {
    const auto declaration = static_cast<Declaration>(d);
    for (const ClassRow& row : classes_of_r()) {
      const auto code = row.conversions.find(declaration);
      add_rule(DataSource::frame,
               row.column,
               row.kind,
               declaration,
               code == row.conversions.end() ? "" : code->second,
               rules);
    }
    for (std::size_t s = 1; s < std::size(kDataSourceNames); ++s) {
      const auto source = static_cast<DataSource>(s);
      for (const TypeRow& row : types_of(source)) {
        const bool to_day = declaration == D::date && is_instant(source, row.type);
        const std::string code = to_day ? instant_conversion(source)
                                 : source == DataSource::arrow
                                     ? arrow_type_for(declaration, row.type)
                                     : sql_conversion(source, declaration);
        add_rule(source, row.type, row.kind, declaration, code, rules);
      }
    }
  }
  return rules;
}

std::string lower_case(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

std::string without_parentheses(const std::string& type) {
  const std::size_t open = type.find('(');
  const std::size_t close = type.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close < open) return type;
  return type.substr(0, open) + type.substr(close + 1);
}

// SQLite's own rules (its documentation, "Datatypes", 3.1), in their order.
std::string sqlite_affinity(const std::string& type) {
  const auto has = [&](const char* part) { return type.find(part) != std::string::npos; };
  if (has("int")) return "integer";
  if (has("char") || has("clob") || has("text")) return "text";
  if (has("blob") || type.empty()) return "blob";
  if (has("real") || has("floa") || has("doub")) return "real";
  return "numeric";
}

// For more than 15 digits, DuckDB's cast to a double can be off by the last bit.
bool is_long_decimal(const std::string& type) {
  const std::size_t open = type.find('(');
  return open == std::string::npos || std::atoi(type.c_str() + open + 1) > 15;
}

}  // namespace

const std::vector<ColumnRule>& column_rules() {
  static const std::vector<ColumnRule> rules = made_rules();
  return rules;
}

std::string name_of_engine_type(DataSource source, const std::string& given) {
  const std::string type = lower_case(given);
  if (source == DataSource::sqlite) return sqlite_affinity(type);
  std::string bare = without_parentheses(type);
  if (source == DataSource::spark && bare.rfind("string collate ", 0) == 0) bare = "string";
  const bool unread = source == DataSource::duckdb && bare == "decimal" && is_long_decimal(type);
  return unread ? "other" : bare;
}

std::optional<std::string> kind_of_engine_type(DataSource source, const std::string& type) {
  const std::string kind = column_rule(source, name_of_engine_type(source, type), D::id).kind;
  return kind.empty() ? std::nullopt : std::optional(kind);
}

const ColumnRule& column_rule(DataSource source,
                              const std::string& column,
                              Declaration declaration) {
  const ColumnRule* other = nullptr;
  for (const ColumnRule& rule : column_rules()) {
    if (rule.source != source || rule.declaration != declaration) continue;
    if (rule.column == column) return rule;
    if (rule.column == "other") other = &rule;
  }
  return *other;
}

}  // namespace dp::query
