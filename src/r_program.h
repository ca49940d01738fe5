// Programs of rows, from R.
#pragma once

#include <Rcpp.h>

#include "core/table/derived_columns.h"

namespace dp::r {

// list(columns, levels, terms): of sources, as columns_from_r() has them, and to each of these a
// vector of its levels, texts or whole numbers, which is empty where it has none; and for each term
// list(name, expression), as r_query.h has expressions. Throws failed_cast, naming the part, for
// lists of another form, and what RowProgram() throws.
RowProgram program_from_r(const Rcpp::List& program);

}  // namespace dp::r
