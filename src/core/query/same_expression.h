// Compares expressions, to find aggregates that can share measurements.
#pragma once

#include <cstddef>

#include "core/expressions/expression.h"
#include "core/query/exact_aggregate.h"

namespace dp::query {

// Whether the trees are equal; both can be null. Equal literals have the same type.
bool is_same(const ExpressionPtr& a, const ExpressionPtr& b);

bool same_lattice(const Quantiser& a, const Quantiser& b);

bool is_same(const ExactAggregate& a, const ExactAggregate& b);

// Equal for equal trees, so that one tally is found quickly among thousands.
std::size_t hash_of(const ExpressionPtr& expression);
std::size_t hash_of(const ExactAggregate& tally);

}  // namespace dp::query
