// Rules for reading a column, by its class or type in a source and by its declaration: unchanged,
// by a rule, or not at all. One table covers all sources. It determines the errors of dp_tbl(), the
// kinds of engines' types, the help page `?dp_columns` and the test of all cells.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/sql/data_source.h"

namespace dp::sql {

struct ColumnRule {
  enum class Reading : std::uint8_t { as_it_is, by_rule, refused };
  const DataSource* source;
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
std::optional<std::string> kind_of_engine_type(const DataSource& source, const std::string& type);

// The table's name for an engine's type; in SQLite, the type affinity of the column.
std::string name_of_engine_type(const DataSource& source, const std::string& type);

// The row for a class or type, or the row "other" if the table does not name it.
const ColumnRule& column_rule(const DataSource& source,
                              const std::string& column,
                              Declaration declaration);

}  // namespace dp::sql
