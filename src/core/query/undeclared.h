// Refuses conditions that the declaration rules out. A comparison such as `g == "femal"` or
// `age > 200` would silently be FALSE for all rows, so a new query raises an error.
#pragma once

#include "core/query/statement.h"

namespace dp::query {

// Throws domain if `==`, `!=` or `%in%`, which includes case_match(), compares a level with a
// constant that is not a level, and as refuse_impossible() does (impossible.h). The declaration
// counts, not the values that filters leave: a script can repeat a condition. Never throws under
// the first rules. Public tables can have keys beyond the declaration, because a table of all
// countries is often joined with data of a few.
void refuse_undeclared_values(const Statement& statement);

}  // namespace dp::query
