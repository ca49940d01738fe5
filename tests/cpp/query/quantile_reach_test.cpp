#include "core/query/quantile_reach.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/data/column.h"
#include "core/postprocessing/consistent_b_ary_tree.h"
#include "core/postprocessing/numbers.h"
#include "core/query/measure.h"

namespace dp::query {
namespace {

std::vector<double> numbers_of(const std::vector<int128_t>& tree) {
  std::vector<double> numbers;
  for (const int128_t node : tree) numbers.push_back(static_cast<double>(node));
  return numbers;
}

// Sums below each leaf, from a tree after its consistency step.
std::vector<double> sums_below(const std::vector<double>& tree) {
  std::vector<std::int64_t> nodes;
  for (const double node : tree) nodes.push_back(static_cast<std::int64_t>(node));
  const Function consistent = make_consistent_b_ary_tree(kBranches, AtomType::i64, AtomType::f64);
  const auto leaves = numbers_in<double>(
      consistent(make_column<std::int64_t>(AtomType::i64, nodes)), AtomType::f64);
  std::vector<double> sums = {0};
  for (const double leaf : leaves) sums.push_back(sums.back() + leaf);
  return sums;
}

// Variances from the linear map: each node's noise, one at a time, through the consistency step.
TEST(QuantileReach, NoiseBelowAPlaceIsThatOfTheConsistentTree) {
  constexpr double kUnit = 1e9;  // estimates are exact to a part of 1e9
  for (const std::size_t leaves : {1, 2, 16, 17, 40, 257}) {
    const std::size_t nodes = tree_of(std::vector<int128_t>(leaves, 0)).size();
    const TreeNoise noise(leaves, 3);
    std::vector<double> variances(leaves + 1, 0);
    for (std::size_t node = 0; node < nodes; ++node) {
      std::vector<double> tree(nodes, 0);
      tree[node] = kUnit;
      const std::vector<double> below = sums_below(tree);
      for (std::size_t j = 0; j <= leaves; ++j) {
        const double off = (below[j] - 0.3 * below[leaves]) / kUnit;
        variances[j] += off * off;
      }
    }
    for (std::size_t j = 0; j <= leaves; ++j) {
      const PlaceNoise place = noise.below(j);
      const double off = place.weight - 0.3;
      ASSERT_NEAR(place.variance + off * off * noise.root_variance(), variances[j], 1e-6)
          << leaves << " leaves, before " << j;
    }
  }
}

std::vector<Range> cells_of_length_one(std::size_t cells) {
  std::vector<Range> ranges;
  for (std::size_t j = 0; j < cells; ++j) {
    ranges.push_back({static_cast<double>(j), static_cast<double>(j + 1)});
  }
  return ranges;
}

// Rows between points 0, 1, ..., m - 1, with Gaussian noise of deviation `noise` on each node.
// Returns how many of 1000 intervals, for noise of deviation `believed`, miss the quantile.
int misses(double noise, double believed, double probability) {
  constexpr std::size_t kPoints = 240;
  std::vector<int128_t> counts;
  for (std::size_t j = 0; j + 1 < kPoints; ++j) counts.push_back(static_cast<int>(kPoints - j));
  const std::vector<double> exact = numbers_of(tree_of(counts));
  const std::vector<double> below = sums_below(exact);
  std::size_t cell = 0;
  while (below[cell + 1] < probability * below.back()) ++cell;
  const std::vector<Range> cells = cells_of_length_one(kPoints - 1);
  const CombinedReach combined(NoiseKind::gaussian, Alpha(0.05));
  const TreeReach reach(cells, TreeNoise(kPoints - 1, 0), probability, believed, combined);
  std::mt19937_64 engine(2);
  std::normal_distribution<double> normal(0, 1);
  int missed = 0;
  for (int run = 0; run < 1000; ++run) {
    std::vector<double> tree = exact;
    for (double& node : tree) node += std::round(noise * normal(engine));
    const Range range = reach.interval(sums_below(tree));
    missed += range.lower > cells[cell].lower || range.upper < cells[cell].upper;
  }
  return missed;
}

TEST(QuantileReach, IntervalsOfTreesHoldTheQuantile) {
  for (const double probability : {0.1, 0.5, 0.75}) {
    // Noise of several cells. Whole cells add about half a cell at each end.
    EXPECT_LE(misses(400, 400, probability), 80) << probability;
    EXPECT_GT(misses(400, 400, probability), 10) << probability;  // not much too wide
    EXPECT_GT(misses(400, 200, probability), 150) << probability;
  }
}

TEST(QuantileReach, IntervalsOfTreesAreTheCellWithoutNoise) {
  const std::vector<int128_t> counts(40, 10);
  const std::vector<Range> cells = cells_of_length_one(40);
  const CombinedReach combined(NoiseKind::laplace, Alpha(0.05));
  const TreeReach within(cells, TreeNoise(40, 3), 0.51, 0, combined);
  Range range = within.interval(sums_below(numbers_of(tree_of(counts))));
  EXPECT_EQ(range.lower, 20);
  EXPECT_EQ(range.upper, 21);
  EXPECT_EQ(within.ranks(), 0);
  // At the end of a cell, the next row is equally good.
  const TreeReach between(cells, TreeNoise(40, 3), 0.5, 0, combined);
  range = between.interval(sums_below(numbers_of(tree_of(counts))));
  EXPECT_EQ(range.lower, 19);
  EXPECT_EQ(range.upper, 21);
}

// The exponential mechanism chooses scores beyond the reach with probability at most alpha. With
// few candidates near the best this is about alpha, so a shorter reach would be wrong.
TEST(QuantileReach, RanksAreWithinTheReach) {
  NoisyComponent part;
  part.kind = NoisyComponent::Kind::scores;
  part.fraction = {1, 4};
  constexpr std::size_t kCandidates = 1001;
  for (const double alpha : {0.05, 0.3}) {
    const NoiseLaw law(NoiseKind::laplace, 12);
    const double reach = rank_reach(part, kCandidates, law, Alpha(alpha)) * 4;
    const auto beyond = [&](double limit) {  // one best candidate, all others just beyond
      const double others = (kCandidates - 1) * std::exp(-limit / law.scale());
      return others / (1 + others);
    };
    EXPECT_LE(beyond(reach), alpha);
    EXPECT_GT(beyond(0.8 * reach), alpha);
  }
  EXPECT_EQ(rank_reach(part, 1, NoiseLaw(NoiseKind::laplace, 12), Alpha(0.05)), 0);
}

}  // namespace
}  // namespace dp::query
