// Whether a value is in a domain.
#pragma once

#include "core/data/value.h"

namespace dp {

// Whether `value` has the carrier type of `domain`, and is a member of it, which every call checks.
// Tests the number of rows or bits if a size is declared, equal lengths of columns, bounds and NaN
// of all numbers, and the number of set bits. Reads rows only if their domain excludes a number.
// Does not test membership in user-defined domains.
bool fits(const Value& value, const Domain& domain);

// Throws failed_cast for another carrier type, and as refuse_nonmember() unless it fits().
void check_arg(const Value& value, const Domain& domain);

// Only ever asked by the user. Throws failed_cast if `value` has
// another carrier type, failed_function for a NaN in a bounded domain, where order has no answer,
// and not_implemented for domains whose members the core does not read.
bool member(const Domain& domain, const Value& value);

}  // namespace dp
