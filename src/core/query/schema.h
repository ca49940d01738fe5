// The columns that a query has after each of its steps.
#pragma once

#include <vector>

#include "core/query/statement.h"

namespace dp::query {

// The columns before all steps, with the bounds that go without saying: those of logicals and
// levels.
std::vector<Field> declared_fields(const Source& source);

// What is known of the columns after all steps. Throws as bind_expression() does, and unsupported
// for steps whose arguments do not fit the columns there are.
std::vector<Field> fields_after(const Source& source, const std::vector<Step>& steps);
std::vector<Field> fields_after_step(const std::vector<Field>& fields, const Step& step);

// Whether the same is known of both lists of columns.
bool same_fields(const std::vector<Field>& a, const std::vector<Field>& b);

// The columns that a join adds: those of the public table that are no keys.
std::vector<std::size_t> joined_columns(const JoinPublic& join);

// Whether groups may be made of the values: of all but reals, whose equality engines do not agree
// on.
bool is_key(const Field& field);

// The sums that per_unit() makes: of whole numbers as such, of reals on the lattice of their
// bounds, so that no order of rows matters. More than 2^40 rows of one person count as so many.
inline constexpr int kSummedRowsBits = 40;

}  // namespace dp::query
