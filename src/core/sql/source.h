// Columns of an engine's table, made to satisfy their declarations for any contents: coerce.h in
// SQL.
//
// No cell can raise an error. A value is cast or subtracted only after it is found to be between
// the ends of its declaration. So a numeric stays in the range of a double, an integer in 64 bits,
// and a date in the years 1 to 9999. The test against the upper end of reals uses -x, because NaN
// fails this test.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/expressions/field.h"
#include "core/query/rows.h"
#include "core/sql/chain.h"

namespace dp::sql {

// How an engine stores a column. `decimal` is PostgreSQL's numeric. In other engines it is a
// decimal that fits a double without a change of order (queries_v2, 3.2 and 3.3).
struct EngineColumn {
  // A `moment` is a date-time without a zone; a date declaration reads it as its day.
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

std::string quoted_path(const Dialect& dialect, const EngineTable& table);

// The table as it would be in memory, without rows, to show how its columns are read.
query::QueryRows without_rows(const EngineTable& table);

// Throws source, naming the column, if the engine cannot enforce the declaration, as for a number
// without bounds.
SqlColumn declared_value(const Dialect& dialect,
                         const query::Field& field,
                         const EngineColumn& column);

// Reads a number without clamping it, if a lattice within its bounds clamps it later. The number
// can have any size, be NaN, or be the least 64-bit integer. Returns nothing if the column must be
// compared before it is read.
std::optional<SqlColumn> bare_number(const Dialect& dialect,
                                     const query::Field& field,
                                     const EngineColumn& column);

// Reads a column that names people, unchanged. Throws unsupported for reals.
SqlColumn id_value(const Dialect& dialect, const EngineColumn& column);

}  // namespace dp::sql
