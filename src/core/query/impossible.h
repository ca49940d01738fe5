// Comparisons that the declared bounds rule out, such as `age == 200` for an age from 0 to 120.
#pragma once

#include <string>
#include <vector>

#include "core/query/statement.h"

namespace dp::query {

// The expression in a message: "`year(day)`". Only shows columns and functions, because constants
// can be anything that a caller inserted. A long expression shows only its outermost call.
std::string described(const Expression& expression);

// Throws domain, with the constant and the declaration to change,
//
// * if `==`, `!=` or `%in%` compares with a number or a date that the other side cannot be, because
//   of its bounds, because it is whole, or because of the steps between its values;
// * if `<`, `<=`, `>`, `>=` or `between` is TRUE for no values of both sides;
// * if `&` or `!` is TRUE for no values of its columns, where these are few.
//
// `declared` are the columns of the source, and `fields` those that the expression reads.
void refuse_impossible(const ExpressionPtr& comparison,
                       const std::vector<Field>& fields,
                       const std::vector<Field>& declared);

}  // namespace dp::query
