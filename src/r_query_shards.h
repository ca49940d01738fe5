// Private rows of any kind: a data frame, an engine, or several of these as one table.
#pragma once

#include <Rcpp.h>

#include <vector>

#include "core/query/ranks.h"
#include "core/query/statement.h"
#include "core/query/tally.h"

namespace dp::r {

// Counts a data frame, what is an engine (r_query_engine.h), or a list of class "dp_engine" whose
// `shards` are a list of these: each by itself, those that can side by side. Of the salt the bytes
// alone count; how it hashes is as each kind of rows wants it.
query::Tallied tally_rows(SEXP rows,
                          const query::Statement& statement,
                          const std::vector<query::Tally>& tallies,
                          const query::Salt& salt);

}  // namespace dp::r
