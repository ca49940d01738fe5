// How a column is read, by its class or type in a source and by its declaration: as it is, by a
// rule, or not at all. There is one table, for all sources. What dp_tbl() refuses, what engines'
// types are read as, the help page `?dp_columns` and the test of all cells come from it.
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
  std::string kind;    // what the kernel reads it as; empty if it reads no such column
  Declaration declaration;
  Reading reading;
  // The rule, or the code that converts the column `x`; empty if there is none.
  std::string how;
};

// All cells of the table.
const std::vector<ColumnRule>& column_rules();

// The kind of an engine's type; none for a type that is not read. Case and the parts in parentheses
// do not matter, but the number of digits of a decimal.
std::optional<std::string> kind_of_engine_type(DataSource source, const std::string& type);

// The name that the table has for an engine's type: in SQLite what its columns prefer.
std::string name_of_engine_type(DataSource source, const std::string& type);

// The row for a class or type; for one that the table does not name, the row "other".
const ColumnRule& column_rule(DataSource source,
                              const std::string& column,
                              Declaration declaration);

}  // namespace dp::query
