// Reads columns with public bounds from R.
#pragma once

#include <Rcpp.h>

#include <vector>

#include "core/table/column_spec.h"

namespace dp::r {

// Takes parallel vectors: name, lower, upper, impute_lower, impute_upper, whole.
std::vector<ColumnSpec> columns_from_r(const Rcpp::List& columns);

}  // namespace dp::r
