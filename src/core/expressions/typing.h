// Decides which expressions are allowed, and derives bounds and types of their values.
//
// Operators have R's meaning. Each is total: for all cells of the columns' types the result is a
// value or missing, never an error. So the data affect only values. The result's bounds hold for
// all cells within the columns' bounds. Bounds of whole numbers are computed in 128 bits, and an
// expression that could leave +-2^62 is rejected. Bounds of reals are rounded outward.
//
// The result is missing if R's answer would depend on the platform or would not be a number:
// division by zero, a quotient or product that is not finite, NaN, and a date outside the years 1
// to 9999. Text is ordered by its bytes. A real literal without a fraction counts as a whole number
// beside whole numbers, so `age %/% 10 * 10` stays whole. Logicals count as 0 and 1. Levels that
// were declared as whole numbers count as these numbers.
//
// Model formulas have more operators than queries, because SQL engines must give the same values
// for queries. They add `^` with a literal whole exponent, and `log`, `exp` and `sqrt`. The result
// is missing if R's is infinite or NaN.
//
// Throws unsupported if an expression is not allowed, and domain if a declaration or bounds are
// missing. Messages name operators, columns and types.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/expressions/bound.h"
#include "core/expressions/expression.h"
#include "core/expressions/field.h"

namespace dp::query {

// Under the first rules and in formulas, a choice with a missing literal has no bounds.
enum class Language : std::uint8_t { queries, first_queries, formulas };

// Whether the language has an operator of this name.
bool is_operator_of(const std::string& op, Language language);

// Adds the literals and levels to `texts`, which must outlive the result.
BoundPtr bind_expression(const Expression& expression,
                         const std::vector<Field>& fields,
                         TextPool& texts,
                         Language language = Language::queries);

// Derives the type and bounds of the expression's values. For a column, returns its full
// declaration, with its name. Only the newest language knows steps.
Field type_of(const Expression& expression,
              const std::vector<Field>& fields,
              Language language = Language::queries);

// Position of the column. Throws if there is none.
std::size_t place_of(const std::string& name, const std::vector<Field>& fields);

// Whether both bounds are known: whole numbers within +-2^62, reals within +-1e300. An unknown side
// has the greatest possible number.
bool is_bounded(const Field& field);

// Whether a field holds numbers: logical, integer, real, or levels that are whole numbers.
bool is_number(const Field& field);

// Names the kind: "logicals", "integers", ...
std::string kind_of(const Field& field);

// Names of all columns that the expression reads.
std::vector<std::string> columns_of(const Expression& expression);

}  // namespace dp::query
