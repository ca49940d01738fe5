// Bounds of the results of arithmetic.
#pragma once

#include <string>

#include "core/expressions/bound.h"

namespace dp::query {

// Result type of `op`, named `name`, on operands of one numeric type. Throws domain if an operand
// has no bounds, unsupported if a result could leave +-2^62, or be 1e300 or more.
Field arithmetic_type(const std::string& name, Operator op, const std::vector<BoundPtr>& args);

// Throws domain, naming the operator, unless both ends of the operand are known.
void check_bounded(const std::string& name, const BoundPtr& operand);

// Throws unsupported: the result of the operator could leave +-limit.
[[noreturn]] void refuse_range(const std::string& name, const char* limit);

// Widens the bounds of `a` to hold for `b` as well: the smallest interval that contains both, or
// none.
void widen(Field& a, const Field& b);

}  // namespace dp::query
