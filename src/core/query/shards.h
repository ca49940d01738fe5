// Combines the integers of a table in several places from the integers of each place.
//
// Every row is in one place, so numbers of rows and sums over rows add up, group by group. Numbers
// of people add up if each person is in one place. Otherwise a person counts once for each place,
// as in the privacy map (unit_reach.h). Distinct values do not add up: a value in two places counts
// once.
#pragma once

#include <cstddef>
#include <vector>

#include "core/query/exact_aggregate.h"

namespace dp::query {

// With at most this many places, all sums stay within 128 bits. Sums of one place are below 2^113
// from an engine (ingest.cpp), or bounded by the number of rows in memory (counters.h).
inline constexpr std::size_t kMostShards = 1024;

// Merges groups in order, each once. Throws unsupported for tallies of distinct values, for any
// contents of the places.
ExactAggregates added(const std::vector<ExactAggregate>& tallies,
                      const std::vector<ExactAggregates>& places);

}  // namespace dp::query
