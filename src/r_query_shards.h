// Private rows of any kind: a data frame, an engine, or several of these as one table.
#pragma once

#include <Rcpp.h>

#include <vector>

#include "core/query/exact_aggregate.h"
#include "core/query/ranks.h"
#include "core/query/statement.h"

namespace dp::r {

// Counts a data frame, an engine (r_query_engine.h), or a list of class "dp_engine" whose `shards`
// are a list of these. Shards are counted separately, concurrently if they can be. Only the bytes
// of the salt matter; each kind of rows chooses its hash.
query::ExactAggregates tally_rows(SEXP rows,
                                  const query::Statement& statement,
                                  const std::vector<query::ExactAggregate>& tallies,
                                  const query::Salt& salt);

}  // namespace dp::r
