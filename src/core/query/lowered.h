// A statement in the terms of the kernel: what the rules of its version make of declared columns,
// written out as columns and steps. What is lowered is an ordinary statement, so its map, its
// preview and its SQL follow from the same code as those of any other.
//
// Under the first rules it is the statement.
//
// Under the second rules a declared number or date is rounded to the declared type, then compared
// with its bounds, and read in two ways. As a *key* a value outside of the bounds is missing; as an
// *amount* it is the nearer bound. Keys are groups, joins, `==`, `!=`, `%in%`, `cut()`, histograms
// and different values; everything else takes amounts. A derived column has both ways as well, if
// what it is derived of has: `age %/% 10 * 10` is missing as a key if `age` is. The key keeps the
// name of the column, and the amount is a hidden column beside it.
//
// Columns whose missing values are a group have a third way: as a group they have one more level,
// text or number, Field::missing_key, which a release shows as missing. Everything else reads the
// key, which is a hidden column. What is computed of such a column has a group of missing values,
// too, if it can be missing as a key.
//
// What a missing value counts as is put in its place when the column is read, so it holds for keys,
// conditions and amounts alike; only "midpoint", which need not be a value of the column, is left
// to aggregates. Rows that a missing value drops are dropped before all other steps.
#pragma once

#include <string>

#include "core/query/statement.h"

namespace dp::query {

// Throws as bind_expression() does for columns that no step has made.
Statement lowered(Statement statement);

// The level or text of rows without a value, where they are a group, and the number where nothing
// bounds them. No column is read as the first two.
inline const std::string kMissingLevel = "\001missing";
inline constexpr std::int64_t kUnboundedMissing = std::int64_t{1} << 62;

// Whether lowered() made the column. No column of a table has a zero byte in its name.
bool is_hidden(const std::string& name);

}  // namespace dp::query
