// The operators of expressions, one by one: their arguments, and the type and bounds of their
// values.
#pragma once

#include <string>
#include <vector>

#include "core/expressions/bound.h"
#include "core/expressions/promote.h"
#include "core/expressions/rounding.h"
#include "core/expressions/typing.h"

namespace dp::query {

// An operator's name, its arguments, and the texts that the expression knows.
struct Operands {
  const std::string& op;
  std::vector<BoundPtr> args;
  TextPool& texts;
  Language language = Language::queries;
};

BoundPtr equality(const Operands& of, Operator op);
BoundPtr comparison(const Operands& of, Operator op, bool swapped);
BoundPtr logical_operation(const Operands& of, Operator op);
BoundPtr between(const Operands& of);
BoundPtr missingness(const Operands& of);
BoundPtr level_index(const Operands& of);
BoundPtr coalesced(const Operands& of);
BoundPtr choice(const Operands& of, Operator op);
BoundPtr membership_in(const Operands& of);
BoundPtr missing_if(const Operands& of);

BoundPtr extreme(const Operands& of, Operator op);
BoundPtr magnitude(const Operands& of);
BoundPtr arithmetic(const Operands& of, Operator op);
BoundPtr subtraction(const Operands& of);
BoundPtr division(const Operands& of);
BoundPtr raised(const Operands& of);
BoundPtr elementary(const Operands& of, Operator op);
BoundPtr elementary_on_lattice(const Operands& of, Operator op);
BoundPtr logarithm_on_lattice(const Operands& of);
BoundPtr cut_at(const Operands& of);

BoundPtr to_digits(const Operands& of);
BoundPtr to_whole(const Operands& of, Rounding way);

// Functions of texts that are declared levels (texts.cpp).
BoundPtr in_case(const Operands& of, bool upper);
BoundPtr trimmed(const Operands& of);
BoundPtr part_of_text(const Operands& of);

// Functions of dates (dates.cpp).
bool has_date(const Operands& of);
BoundPtr date_arithmetic(const Operands& of, Operator op);
BoundPtr date_part(const Operands& of, Operator op);
BoundPtr quarter(const Operands& of);
BoundPtr weekday(const Operands& of);
BoundPtr week_of_year(const Operands& of);
BoundPtr iso_week(const Operands& of);
BoundPtr iso_year(const Operands& of);
BoundPtr floored_date(const Operands& of);
BoundPtr as_whole(const Operands& of);
BoundPtr as_numeric(const Operands& of);

// Helpers of all operators.
[[noreturn]] void refuse_expression(const std::string& sentence);
BoundPtr made(Operator op, Field type, std::vector<BoundPtr> args);
bool any_missing(const std::vector<BoundPtr>& args);

// Converts the arguments to one type: logical, if all of them are missing literals.
std::vector<BoundPtr> in_one_type(const Operands& of, Meeting meeting);

// Converts numeric arguments to reals.
std::vector<BoundPtr> as_reals(const Operands& of);

}  // namespace dp::query
