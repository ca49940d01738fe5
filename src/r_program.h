// Reads row programs from R.
#pragma once

#include <Rcpp.h>

#include "core/table/derived_columns.h"

namespace dp::r {

// Takes list(columns, levels, terms). Source columns are as in columns_from_r(). Each has a vector
// of levels, texts or whole numbers, which is empty for a column without levels. Each term is
// list(name, expression), with expressions as in r_query.h. Throws failed_cast, naming the part,
// for lists of a different form, and as RowProgram() throws.
RowProgram program_from_r(const Rcpp::List& program);

}  // namespace dp::r
