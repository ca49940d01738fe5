// Rejects constants that no declared value equals. A comparison with one, such as `g == "femal"`,
// would silently be FALSE for all rows, so a new query raises an error.
#pragma once

#include "core/query/statement.h"

namespace dp::query {

// Throws domain if `==`, `!=` or `%in%`, which includes case_match(), compares a level with a
// constant that is not a level. Never throws under the first rules. Public tables can have keys
// beyond the declaration, because a table of all countries is often joined with data of a few.
void refuse_undeclared_levels(const Statement& statement);

}  // namespace dp::query
