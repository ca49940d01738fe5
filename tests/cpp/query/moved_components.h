// Distances of a part's exact numbers between two tables, in the norms that the maps use.
#pragma once

#include <algorithm>
#include <vector>

#include "core/numeric/rational.h"
#include "core/query/measure.h"
#include "core/query/noisy_components.h"
#include "support/recorded_bits.h"

namespace dp::test {

struct Change {
  Integer l1 = 0;
  Integer l2_squared = 0;
  Integer largest = 0;
};

// Exact noiseless numbers of the groups at these places; for score parts, the scores.
inline std::vector<Integer> exact_numbers(const query::QueryComponents& parts,
                                          const query::NoisyComponent& part,
                                          const query::ExactAggregates& tallied,
                                          const std::vector<std::size_t>& groups) {
  if (part.kind != query::NoisyComponent::Kind::scores) {
    ReplayedBits bits(1);
    return query::measure(parts, part, {}, query::NoiseKind::laplace, tallied, groups, bits)
        .numbers;
  }
  std::vector<Integer> scores;
  const std::size_t width = 2 * parts.tallies[part.tally].grid.size() + 1;
  for (const std::size_t group : groups) {
    std::vector<int128_t> bins(width, 0);
    for (std::size_t i = 0; group != query::kNoGroup && i < width; ++i) {
      bins[i] = tallied.values[part.tally][group * width + i];
    }
    for (const int128_t score : query::scores_of(part, bins)) {
      scores.push_back(to_integer(score));
    }
  }
  return scores;
}

// Change of a part. For scores: the largest change of any candidate of each group, up and down.
inline Change change_of(const query::QueryComponents& parts,
                        const query::NoisyComponent& part,
                        const std::vector<Integer>& x,
                        const std::vector<Integer>& y) {
  const bool scores = part.kind == query::NoisyComponent::Kind::scores;
  const std::size_t each = scores ? query::candidates_of(part, parts.tallies[part.tally]) : 1;
  Change change;
  for (std::size_t begin = 0; begin < x.size(); begin += each) {
    Integer moved = 0;
    for (std::size_t i = begin; i < begin + each; ++i) {
      moved = std::max<Integer>(moved, abs(x[i] - y[i]));
    }
    change.l1 += moved * (scores ? 2 : 1);
    change.l2_squared += moved * moved;
    change.largest = std::max(change.largest, moved);
  }
  return change;
}

}  // namespace dp::test
