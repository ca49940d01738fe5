// Columns of an engine's table as declarations say, whatever they hold: coerce.h, in SQL.
//
// No cell can raise. What is cast or subtracted was compared with the ends of its declaration, and
// lies within them: a numeric never leaves the range of a double, an integer that of 64 bits, a
// date the years 1 to 9999. What is above the upper end of reals is so by -x, which no NaN is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/expressions/field.h"
#include "core/query/rows.h"
#include "core/sql/chain.h"

namespace dp::sql {

// How an engine keeps a column. `decimal` is PostgreSQL's numeric, and in other engines what fits a
// double without a loss of order (queries_v2, 3.2 and 3.3).
struct EngineColumn {
  // A `moment` is a date-time without a zone: dates are read as its day.
  enum class Kind : std::uint8_t { logical, whole, real, decimal, text, date, moment };
  std::string name;
  Kind kind;
};
// In the order of the kinds.
constexpr const char* kEngineKindNames[] = {
    "logical", "whole", "real", "decimal", "text", "date", "moment"};

// A table: the parts of its path, and its columns.
struct EngineTable {
  std::vector<std::string> path;
  std::vector<EngineColumn> columns;
};

std::string quoted_path(Dialect dialect, const EngineTable& table);

// The table as it would be in memory, without rows: what its columns are read as.
query::QueryRows without_rows(const EngineTable& table);

// Throws source, naming the column, for a declaration that cannot be enforced there: a number
// without bounds.
SqlColumn declared_value(Dialect dialect, const query::Field& field, const EngineColumn& column);

// A number of any size, NaN, or the least 64-bit integer, for what takes all of these: a column
// that is as good as declared where it is placed on a lattice within its bounds. None for one that
// must be compared before it is read.
std::optional<SqlColumn> bare_number(Dialect dialect,
                                     const query::Field& field,
                                     const EngineColumn& column);

// A column that names people, as it is. Throws unsupported for one of reals.
SqlColumn id_value(Dialect dialect, const EngineColumn& column);

}  // namespace dp::sql
