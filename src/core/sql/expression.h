// Writes expressions over single rows as SQL, with the same values as evaluate.h.
//
// No row can raise an error. Types keep whole numbers within 2^62 and reals within 1e300, for any
// order of evaluation. Columns are clamped when they are read (source.h), except those that are
// only placed on a lattice (bare_columns.h). Every operator is total on the possible values of its
// arguments. Divisors of whole numbers are literals, never 0.
//
// Products and quotients of reals are written only if the dialect has a real_quotient(). Missing
// conditions behave in SQL as in R: AND, OR and NOT have three values.
//
// An argument that is used twice first becomes a separate column, so that the text does not double
// with each level.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/expressions/bound.h"
#include "core/query/exact_aggregate.h"
#include "core/sql/chain.h"

namespace dp::sql {

// Columns of a stage, by position; columns that are not needed are absent.
using Columns = std::vector<std::optional<SqlColumn>>;

Form form_of(const query::Field& field);

// Throws unsupported, naming the operator, if the engine cannot evaluate it without a risk of
// errors. `texts` are those passed to bind_expression().
SqlColumn written_value(const query::Bound& expression,
                        const Columns& columns,
                        const query::TextPool& texts,
                        Chain& chain);

// Whether whole numbers are placed on the lattice without a double.
bool stays_whole(const query::Quantiser& quantiser);

// Places a value on the lattice of an aggregate, as quantise.h does. `x` is the name of a column,
// which can hold any value of its form. This includes NaN, infinities, and the least 64-bit
// integer, which counts as missing.
//
// Almost all rows are between the ends and take the first branch. The test against the upper end
// uses -x, because NaN fails it. Only values in between are multiplied by the power of two. That
// product is exact, and adding 1.5 * 2^52 rounds to nearest, ties to even. It can underflow if the
// power is below 1 and the value small, and PostgreSQL raises an error on underflow. In that case
// values within half a step of 0 become 0 first.
std::string quantised_value(const Dialect& dialect,
                            const SqlColumn& x,
                            const query::Quantiser& quantiser);

// A cell of a public table. Throws unsupported for text and dates that no engine has.
std::string literal_value(const Dialect& dialect,
                          const query::Field& type,
                          std::int64_t whole,
                          double real,
                          const query::TextPool& texts);

}  // namespace dp::sql
