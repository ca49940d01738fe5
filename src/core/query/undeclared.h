// Conditions that the declaration rules out. A comparison such as `g == "femal"` or `age > 200`
// would be FALSE for all rows without a word, so a new query is refused.
#pragma once

#include "core/query/statement.h"

namespace dp::query {

// Throws domain if a level is compared by `==`, `!=` or `%in%`, which case_match() is too, with a
// constant that is no level; and as refuse_impossible(), see impossible.h. What is declared counts,
// not what filters have left of it: a script may ask once more what a filter has settled. Under the
// first rules nothing is refused. Public tables may have more keys than the declaration, since a
// table of all countries is often joined with data of a few.
void refuse_undeclared_values(const Statement& statement);

}  // namespace dp::query
