// Arrow streams of R's package nanoarrow, as private rows of queries.
#pragma once

#include <Rcpp.h>

#include <string>
#include <vector>

#include "core/query/kernel.h"

namespace dp::r {

// How the columns are kept, by the names of QueryColumn::Kind, without reading a row; the stream
// can still be read. Throws source for what is no stream, or has not the columns.
std::vector<std::string> arrow_kinds_from_r(SEXP stream, const std::vector<std::string>& names);

// Counts the rows of a stream, which is empty afterwards.
query::Tallied tally_arrow(SEXP stream,
                           const query::Statement& statement,
                           const std::vector<query::Tally>& tallies,
                           const query::Salt& salt);

}  // namespace dp::r
