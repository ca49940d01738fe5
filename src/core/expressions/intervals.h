// Bounds of the results of arithmetic.
#pragma once

#include <string>

#include "core/expressions/bound.h"

namespace dp::query {

// Of `op`, named `name`, on operands of one type of number. Throws domain if an operand
// has no bounds, unsupported if a result may leave +-2^62, or be 1e300 or more.
Field arithmetic_type(const std::string& name, Operator op, const std::vector<BoundPtr>& args);

// Throws domain, naming the operator, unless both ends of the operand are known.
void check_bounded(const std::string& name, const Field& operand);

// Throws unsupported: the result of the operator may leave +-limit.
[[noreturn]] void refuse_range(const std::string& name, const char* limit);

// Makes what is known of `a` hold for `b` as well: the least interval that holds both, or none.
void widen(Field& a, const Field& b);

}  // namespace dp::query
