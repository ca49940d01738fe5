// Constants that no declared value equals. A comparison with one, such as `g == "femal"`, would be
// FALSE for all rows without a word, so a new query is refused.
#pragma once

#include "core/query/statement.h"

namespace dp::query {

// Throws domain if a level is compared by `==`, `!=` or `%in%`, which case_match() is too, with a
// constant that is no level. Under the first rules nothing is refused. Public tables may have more
// keys than the declaration, since a table of all countries is often joined with data of a few.
void refuse_undeclared_levels(const Statement& statement);

}  // namespace dp::query
