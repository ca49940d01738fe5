// The values that an expression can have.
//
// Columns of few values are tried, with the evaluation that rows meet, so exactly the values that
// some row can have are left: the decades of `age - age %% 10` are ten groups. For other columns
// the typing of expressions gives bounds and steps (expressions/typing.h). There a choice such as
// `if_else(wage > 5000, 5000, wage)` has the bounds that its conditions leave of each value, as
// filters do (narrowing.h).
//
// These are today's rules. Under the first rules, type_of() has all that is known.
#pragma once

#include <vector>

#include "core/query/statement.h"

namespace dp::query {

// Throws as bind_expression() does.
Field domain_of(const ExpressionPtr& value,
                const std::vector<Field>& fields,
                const std::vector<Twins>& twins);

// Whether the expression is a logical that is never TRUE.
bool is_never_true(const ExpressionPtr& condition, const std::vector<Field>& fields);

}  // namespace dp::query
