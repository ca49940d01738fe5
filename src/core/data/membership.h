// Whether a value is in a domain.
#pragma once

#include "core/data/value.h"

namespace dp {

// What invoking an object asks: whether `value` has the carrier type of `domain`, and is a member
// of it. Tests the number of rows or bits if a size is declared, equal lengths of columns, bounds
// and NaN of all numbers, and how many bits are set. Reads rows only if their domain excludes a
// number. Does not ask what a user's domain says of its members.
bool fits(const Value& value, const Domain& domain);

// Throws failed_cast for another carrier type, and as refuse_nonmember() unless it fits().
void check_arg(const Value& value, const Domain& domain);

// Only ever asked by the user. Throws failed_cast if `value` has
// another carrier type, failed_function for a NaN in a bounded domain, where order has no answer,
// and not_implemented for domains whose members the core does not read.
bool member(const Domain& domain, const Value& value);

}  // namespace dp
