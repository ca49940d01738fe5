// Which expressions are allowed, and what is known of their values.
//
// The operators have R's meaning. Each is total: for all cells of the columns' types it has a value
// or none, never an error, so that nothing but values can depend on the data. The result's bounds
// hold for all cells within the columns' bounds: those of wholes are computed in 128 bits, and what
// could leave +-2^62 is refused; those of reals are rounded outward.
//
// Where R's answer depends on the platform, or is no value, ours is: dividing by zero, and a
// quotient or product that is not finite, have no value; NaN is no value; text is ordered by its
// bytes; a date beyond the years 1 to 9999 has no value. A real literal without a fraction is a
// whole number beside whole numbers, so that `age %/% 10 * 10` stays whole. Logicals count as 0 and
// 1, and levels that were declared as whole numbers as those.
//
// Formulas of models have a larger language than queries, which engines of SQL must give the same
// values: `^` with a whole exponent that is written out, `log`, `exp` and `sqrt`, which have no
// value where R's is infinite or NaN.
//
// What is not allowed throws unsupported, and what lacks a declaration or bounds domain; sentences
// name operators, columns and types.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/expressions/bound.h"
#include "core/expressions/expression.h"
#include "core/expressions/field.h"

namespace dp::query {

// In those of the first rules and in formulas, a choice with a missing literal has no bounds.
enum class Language : std::uint8_t { queries, first_queries, formulas };

// Whether the language has an operator of this name.
bool is_operator_of(const std::string& op, Language language);

// `texts` learns the literals and levels, and must outlive the result.
BoundPtr bind_expression(const Expression& expression,
                         const std::vector<Field>& fields,
                         TextPool& texts,
                         Language language = Language::queries);

// What is known of the expression's values; of a column all that was declared, with its name. Steps
// are known in the newest language only.
Field type_of(const Expression& expression,
              const std::vector<Field>& fields,
              Language language = Language::queries);

// The place of the column. Throws if there is none.
std::size_t place_of(const std::string& name, const std::vector<Field>& fields);

// Whether both bounds are known: those of wholes within +-2^62, those of reals within +-1e300. A
// side on which nothing is known has the greatest number there is.
bool is_bounded(const Field& field);

// Numbers: logical, integer, real, and levels that are whole numbers.
bool is_number(const Field& field);

// "logicals", "integers", ...
std::string kind_of(const Field& field);

// The names of all columns that the expression reads.
std::vector<std::string> columns_of(const Expression& expression);

}  // namespace dp::query
