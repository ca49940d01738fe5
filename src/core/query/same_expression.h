// Whether two aggregates are of the same thing, and so may share what is measured.
#pragma once

#include <cstddef>

#include "core/expressions/expression.h"
#include "core/query/tally.h"

namespace dp::query {

// Equal trees; both may be null. Equal literals have one type.
bool is_same(const ExpressionPtr& a, const ExpressionPtr& b);

bool same_lattice(const Quantiser& a, const Quantiser& b);

bool is_same(const Tally& a, const Tally& b);

// Equal for what is_same(): a tally is found among thousands by it.
std::size_t hash_of(const ExpressionPtr& expression);
std::size_t hash_of(const Tally& tally);

}  // namespace dp::query
