// A table that lies in several places: the integers of all of it, from those of each place.
//
// Every row lies in one place, so numbers of rows and sums over rows add up, group by group. So do
// numbers of people, if each lives in one place; else a person counts once for each place, as the
// map says (unit_reach.h). Different values do not add up: one that is in two places is one.
#pragma once

#include <cstddef>
#include <vector>

#include "core/query/tally.h"

namespace dp::query {

// With so many places all sums stay within 128 bits: of one place they are below 2^113
// (ingest.cpp), or those of rows that are there (counters.h).
inline constexpr std::size_t kMostShards = 1024;

// Groups in order, each once. Throws unsupported for tallies of different values, whatever the
// places hold.
Tallied added(const std::vector<Tally>& tallies, const std::vector<Tallied>& places);

}  // namespace dp::query
