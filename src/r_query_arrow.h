// Reads Arrow streams of R's package nanoarrow as private rows of queries.
#pragma once

#include <Rcpp.h>

#include <string>
#include <vector>

#include "core/query/kernel.h"

namespace dp::r {

// How the columns are stored, by the names of QueryColumn::Kind. Reads no row, so the stream
// remains readable. Throws source if it is not a stream, or lacks a column.
std::vector<std::string> arrow_kinds_from_r(SEXP stream, const std::vector<std::string>& names);

// Counts the rows of a stream, which is empty afterwards.
query::ExactAggregates tally_arrow(SEXP stream,
                                   const query::Statement& statement,
                                   const std::vector<query::ExactAggregate>& tallies,
                                   const query::Salt& salt);

}  // namespace dp::r
