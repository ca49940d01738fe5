// Columns with public bounds, from R.
#pragma once

#include <Rcpp.h>

#include <vector>

#include "core/domains/bounded_column.h"

namespace dp::r {

// From parallel vectors: name, lower, upper, impute_lower, impute_upper, whole.
std::vector<BoundedColumn> columns_from_r(const Rcpp::List& columns);

}  // namespace dp::r
