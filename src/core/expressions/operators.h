// The operators of expressions, one by one: what each takes, and what is known of its values.
#pragma once

#include <string>
#include <vector>

#include "core/expressions/bound.h"
#include "core/expressions/promote.h"

namespace dp::query {

// What an operator is called, its arguments, and the texts that the expression knows.
struct Operands {
  const std::string& op;
  std::vector<BoundPtr> args;
  TextPool& texts;
};

BoundPtr equality(const Operands& of, Operator op);
BoundPtr comparison(const Operands& of, Operator op, bool swapped);
BoundPtr logical_operation(const Operands& of, Operator op);
BoundPtr between(const Operands& of);
BoundPtr missingness(const Operands& of);
BoundPtr coalesced(const Operands& of);
BoundPtr choice(const Operands& of, Operator op);
BoundPtr membership_in(const Operands& of);

BoundPtr extreme(const Operands& of, Operator op);
BoundPtr magnitude(const Operands& of);
BoundPtr arithmetic(const Operands& of, Operator op);
BoundPtr subtraction(const Operands& of);
BoundPtr division(const Operands& of);
BoundPtr raised(const Operands& of);
BoundPtr elementary(const Operands& of, Operator op);
BoundPtr date_part(const Operands& of, Operator op);
BoundPtr cut_at(const Operands& of);

// Shared by all of them.
[[noreturn]] void refuse_expression(const std::string& sentence);
BoundPtr made(Operator op, Field type, std::vector<BoundPtr> args);
bool any_missing(const std::vector<BoundPtr>& args);

// The arguments in one type: logical, if all of them are missing literals.
std::vector<BoundPtr> in_one_type(const Operands& of, Meeting meeting);

// The arguments, which are numbers, as reals.
std::vector<BoundPtr> as_reals(const Operands& of);

}  // namespace dp::query
