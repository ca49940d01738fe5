// Measures one part of a query: adds noise to the exact integers of each group.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/numeric/integer.h"
#include "core/query/keys.h"
#include "core/query/noise_law.h"
#include "core/query/noisy_components.h"
#include "core/random/bit_source.h"

namespace dp::query {

// `width` numbers for each group. For scores, the index of the chosen candidate. For a tree, all
// layers from the root down, each from left to right. A model has real numbers instead.
struct Measured {
  std::size_t width = 1;
  std::vector<Integer> numbers;
  std::vector<double> reals = {};
};

// Adds no noise if no neighbour moves the part; then `law` is empty. Copies of exact numbers made
// here are erased from memory.
//
// Privacy: additive noise as in noise_law.h, on numbers whose joint change is at most
// component_sensitivity(). For scores, one candidate is released per group, as in selection.h. In a
// group whose scores move by s, permute-and-flip loses 2 s / scale, and the exponential mechanism
// (2 s / scale)^2 / 8.
Measured measure(const QueryComponents& parts,
                 const NoisyComponent& part,
                 const std::optional<NoiseLaw>& law,
                 NoiseKind kind,
                 const ExactAggregates& tallied,
                 const std::vector<std::size_t>& groups,
                 BitSource& bits);

// The release of a model. Its `law` has the scale 1 / epsilon: see component_sensitivity().
Measured measure_model(const QueryComponents& parts,
                       const NoisyComponent& part,
                       const NoiseLaw& law,
                       const ExactAggregates& tallied,
                       BitSource& bits);

// The epsilon of one row of a model, rounded down.
double epsilon_of_model(const NoiseLaw& law);

// Counts in the intervals of a grid, from the 2 m + 1 bins below, at and between its points.
std::vector<int128_t> cells_of(const std::vector<int128_t>& bins, CellRule rule);

// All layers of the tree, from the root down to these leaves.
std::vector<int128_t> tree_of(const std::vector<int128_t>& leaves);

// (den - num) below - num above| for each point of the grid.
std::vector<int128_t> scores_of(const std::vector<int128_t>& bins, const Fraction& alpha);

// Applies numeric/rank_gap.h to each of the candidates' cells.
std::vector<int128_t> rank_gaps_of(const std::vector<int128_t>& cells, const Fraction& alpha);

// Scores of a part of kind `scores`, by its rule.
std::vector<int128_t> scores_of(const NoisyComponent& part, const std::vector<int128_t>& bins);

}  // namespace dp::query
