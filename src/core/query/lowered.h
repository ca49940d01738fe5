// Lowers a statement to the kernel's terms: the rules of its version for declared columns become
// explicit columns and steps. The result is an ordinary statement, so its map, its preview and its
// SQL come from the same code as for any other statement.
//
// Under the first rules the statement is unchanged.
//
// Under the second rules a declared number or date is rounded to the declared type, compared with
// its bounds, and read in two views. As a *key*, a value outside of the bounds is missing; as an
// *amount*, it is the nearer bound. Groups, joins, `==`, `!=`, `%in%`, `cut()`, histograms and
// distinct values use keys; everything else uses amounts. A derived column has both views if its
// arguments have both: `age %/% 10 * 10` is missing as a key if `age` is. The key keeps the name of
// the column, and the amount is a hidden column beside it.
//
// A column whose missing values are a group has a third view. As a group it has one more level,
// text or number, Field::missing_key, which a release shows as missing. Everything else reads the
// key, which is a hidden column. A column computed from it also has a group of missing values, if
// its key can be missing.
//
// The declared fill of a missing value applies when the column is read, so it holds for keys,
// conditions and amounts alike. Only "midpoint", which need not be a value of the column, is left
// to aggregates. If missing values drop rows, these rows are dropped before all other steps.
#pragma once

#include <string>

#include "core/query/statement.h"

namespace dp::query {

// Throws as bind_expression() does for columns that no step has made.
Statement lowered(Statement statement);

// Level or text of rows without a value, if they form a group, and their number if nothing bounds
// the column. No column has cells with either of the first two.
inline const std::string kMissingLevel = "\001missing";
inline constexpr std::int64_t kUnboundedMissing = std::int64_t{1} << 62;

// Whether lowered() made the column. No column of a table has a zero byte in its name.
bool is_hidden(const std::string& name);

}  // namespace dp::query
