// One part of a query, measured: exact integers of each group, and noise on each of them.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/numeric/integer.h"
#include "core/query/keys.h"
#include "core/query/noise_law.h"
#include "core/query/parts.h"
#include "core/random/bit_source.h"

namespace dp::query {

// `width` numbers for each group: of scores the place of the candidate; of a tree all layers from
// the root down, each from left to right.
struct Measured {
  std::size_t width = 1;
  std::vector<Integer> numbers;
};

// Without noise where no neighbour moves the part: then `law` is empty. Exact numbers are erased
// from memory as far as they were copied here.
//
// Privacy: noise_law.h for additive noise, on numbers that move together as part_sensitivity()
// says; for scores, of which one candidate is released for each group, selection.h:
// permute-and-flip loses 2 s / scale in a group whose scores move by s, the exponential mechanism
// (2 s / scale)^2 / 8.
Measured measure(const QueryParts& parts,
                 const Part& part,
                 const std::optional<NoiseLaw>& law,
                 NoiseKind kind,
                 const Tallied& tallied,
                 const std::vector<std::size_t>& groups,
                 BitSource& bits);

// What is counted in the intervals of a grid, from the 2 m + 1 bins below, at and between its
// points.
std::vector<int128_t> cells_of(const std::vector<int128_t>& bins, CellRule rule);

// All layers above the leaves, and these: root first.
std::vector<int128_t> tree_of(const std::vector<int128_t>& leaves);

// |(den - num) below - num above| for each point of the grid.
std::vector<int128_t> scores_of(const std::vector<int128_t>& bins, const Fraction& alpha);

// numeric/rank_gap.h for each of the cells of candidates.
std::vector<int128_t> rank_gaps_of(const std::vector<int128_t>& cells, const Fraction& alpha);

// The scores of a part of kind `scores`, by its rule.
std::vector<int128_t> scores_of(const Part& part, const std::vector<int128_t>& bins);

}  // namespace dp::query
