// What `filter()` leaves of columns: rows that stay have other bounds, fewer levels, or no missing
// values. So groups that no row can be in are not released, and amounts have closer bounds.
//
// A condition narrows the one column that it is about; of `a & b` each side does. Columns of few
// values are tried value by value, with the evaluation that rows meet, so a condition may be any
// expression. Other columns are narrowed by comparisons with constants: their bounds move to the
// constant, which is exact in whole numbers and in reals alike. What is not known to be impossible
// stays.
#pragma once

#include <vector>

#include "core/query/statement.h"

namespace dp::query {

// The columns of rows for which the predicate is TRUE. Throws domain if no value of a column can
// pass.
std::vector<Field> narrowed(std::vector<Field> fields, const Filter& filter);

}  // namespace dp::query
