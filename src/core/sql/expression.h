// Expressions over single rows as SQL, with the values that evaluate.h gives them.
//
// No row can raise. Whole numbers stay within 2^62 and reals within 1e300 by their types, whatever
// the order in which an engine evaluates: columns were clamped when they were read (source.h), but
// for those that are placed on a lattice alone (bare_columns.h), and every operator is total on
// what its arguments may hold. Divisors of whole numbers are literals, never 0. Products and
// quotients of reals, which raise in PostgreSQL where they underflow and follow a setting in
// DuckDB, are written for Spark alone: there a product of bounded numbers is a number, and
// try_divide() has no value for a divisor of 0. Conditions that are missing are so in SQL as in R:
// AND, OR and NOT have three values.
//
// What is needed twice becomes a column of its own first, so that texts do not double with depth.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/expressions/bound.h"
#include "core/query/tally.h"
#include "core/sql/chain.h"

namespace dp::sql {

// The columns of a stage at their places; those that nobody needs are absent.
using Columns = std::vector<std::optional<SqlColumn>>;

Form form_of(const query::Field& field);

// Throws unsupported, naming the operator, for what the engine cannot do without a risk.
// `texts` are those that the expression was bound with.
SqlColumn written_value(const query::Bound& expression,
                        const Columns& columns,
                        const query::TextPool& texts,
                        Chain& chain);

// Whether whole numbers are placed on the lattice without a double.
bool stays_whole(const query::Quantiser& quantiser);

// A value on the lattice of an aggregate, as quantise.h says. `x` is the name of a column, and may
// hold any value of its form, also NaN, infinite ones, and the least 64-bit integer, which is none.
//
// Almost all rows lie between the ends, and take the first branch. The test against the upper end
// is on -x, which no NaN passes. Of the product with a power of two only what lies in between is
// taken: it is exact, and adding 1.5 * 2^52 rounds to nearest, ties to even. It underflows, which
// raises in PostgreSQL, if the power is below 1 and the value small: then what lies within half a
// step of 0 is 0 before that.
std::string quantised_value(Dialect dialect, const SqlColumn& x, const query::Quantiser& quantiser);

// A cell of a public table. Throws unsupported for text and dates that no engine has.
std::string literal_value(Dialect dialect,
                          const query::Field& type,
                          std::int64_t whole,
                          double real,
                          const query::TextPool& texts);

}  // namespace dp::sql
