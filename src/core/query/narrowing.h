// Narrows columns by `filter()`: rows that pass have tighter bounds, fewer levels, or no missing
// values. So impossible groups are not released, and amounts have tighter bounds.
//
// A condition narrows the single column that it tests; both sides of `a & b` narrow. Columns of few
// values are tested value by value, with the same evaluation as rows, so the condition can be any
// expression. Other columns are narrowed by comparisons with constants: a bound moves to the
// constant, which is exact for whole numbers and for reals. A value stays unless it is known to be
// impossible.
#pragma once

#include <vector>

#include "core/query/statement.h"

namespace dp::query {

// The columns of rows that pass the predicate. Throws domain if no value of a column can
// pass.
std::vector<Field> narrowed(std::vector<Field> fields, const Filter& filter);

}  // namespace dp::query
