// Versions of the meaning of queries. A stored query keeps the rules under which it was written, so
// its hash, its meaning and its stored releases stay valid.
#pragma once

#include <cstdint>

namespace dp::query {

// Numbered as in the canonical form of a query, whose field `rules` is absent for the first.
enum class Rules : std::uint8_t { first = 1, second = 2 };

inline constexpr Rules kNewestRules = Rules::second;

}  // namespace dp::query
