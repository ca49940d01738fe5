// The function of a query: counts, noise, keys, estimates.
#pragma once

#include "core/data/value.h"
#include "core/query/exact_aggregate.h"
#include "core/query/query_plan.h"
#include "core/random/bit_source.h"

namespace dp::query {

// Makes a release as described in compile.h. Selects private keys first, then measures only the
// released groups.
Value release_of(const QueryPlan& plan, const ExactAggregates& tallied, BitSource& bits);

}  // namespace dp::query
