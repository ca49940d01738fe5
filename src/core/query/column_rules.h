// Rules for reading a column, by its class or type in a source and by its declaration: unchanged,
// by a rule, or not at all. One table covers all sources. It determines the errors of dp_tbl(), the
// kinds of engines' types, the help page `?dp_columns` and the test of all cells.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dp::query {

enum class DataSource : std::uint8_t { frame, arrow, sqlite, duckdb, postgresql, spark };
// In the order of the sources.
constexpr const char* kDataSourceNames[] = {
    "data frame", "Arrow", "SQLite", "DuckDB", "PostgreSQL", "Spark"};

// `labels` are levels that are texts, `numbers` levels that are whole numbers.
enum class Declaration : std::uint8_t { flag, whole, real, labels, numbers, text, date, id };
constexpr const char* kDeclarationNames[] = {"dp_flag()",
                                             "dp_int()",
                                             "dp_num()",
                                             "dp_levels(\"a\")",
                                             "dp_levels(1)",
                                             "dp_text()",
                                             "dp_date()",
                                             "dp_unit(id = )"};

struct ColumnRule {
  enum class Reading : std::uint8_t { as_it_is, by_rule, refused };
  DataSource source;
  std::string column;  // a class of R, a type of Arrow or of the engine
  std::string kind;    // the kind that the kernel reads; empty if it cannot
  Declaration declaration;
  Reading reading;
  // The rule, or the code that converts the column `x`; empty if there is none.
  std::string how;
};

// All cells of the table.
const std::vector<ColumnRule>& column_rules();

// The kind of an engine's type; none if the type is not supported. Ignores case and the parts in
// parentheses, except the number of digits of a decimal.
std::optional<std::string> kind_of_engine_type(DataSource source, const std::string& type);

// The table's name for an engine's type; in SQLite, the type affinity of the column.
std::string name_of_engine_type(DataSource source, const std::string& type);

// The row for a class or type, or the row "other" if the table does not name it.
const ColumnRule& column_rule(DataSource source,
                              const std::string& column,
                              Declaration declaration);

}  // namespace dp::query
