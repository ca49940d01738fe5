// The function of a query: counts, noise, keys, estimates.
#pragma once

#include "core/data/value.h"
#include "core/query/query_plan.h"
#include "core/query/tally.h"
#include "core/random/bit_source.h"

namespace dp::query {

// A release as compile.h says. Keys that are not public are decided first; all else is measured on
// the groups that are released, and on no other.
Value release_of(const QueryPlan& plan, const Tallied& tallied, BitSource& bits);

}  // namespace dp::query
