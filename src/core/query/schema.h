// The columns of a query after each of its steps.
#pragma once

#include <vector>

#include "core/query/statement.h"

namespace dp::query {

// The columns before all steps, with the implied bounds of logicals and levels.
std::vector<Field> declared_fields(const Source& source);

// Types and bounds of the columns after all steps. Throws as bind_expression() does, and
// unsupported for steps whose arguments do not fit the existing columns.
std::vector<Field> fields_after(const Source& source, const std::vector<Step>& steps);
std::vector<Field> fields_after_step(const std::vector<Field>& fields, const Step& step);

// Whether both lists describe the same columns.
bool same_fields(const std::vector<Field>& a, const std::vector<Field>& b);

// The columns that a join adds: all non-key columns of the public table.
std::vector<std::size_t> joined_columns(const JoinPublic& join);

// Whether the column can form groups. Reals cannot, because engines disagree on their equality.
bool is_key(const Field& field);

// The sums of per_unit(): exact for whole numbers; for reals, on the lattice of their bounds, so
// that the order of rows does not matter. More than 2^40 rows of one person count as 2^40.
inline constexpr int kSummedRowsBits = 40;

}  // namespace dp::query
