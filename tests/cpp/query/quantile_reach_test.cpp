#include "core/query/quantile_reach.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/query/measure.h"

namespace dp::query {
namespace {

std::vector<double> numbers_of(const std::vector<int128_t>& tree) {
  std::vector<double> numbers;
  for (const int128_t node : tree) numbers.push_back(static_cast<double>(node));
  return numbers;
}

double sum_of(const std::vector<SignedNode>& nodes, const std::vector<double>& tree) {
  double sum = 0;
  for (const SignedNode& node : nodes) sum += node.sign * tree[node.place];
  return sum;
}

TEST(QuantileReach, NodesHoldWhatIsLeftOfAPoint) {
  std::mt19937_64 engine(1);
  for (const std::size_t leaves : {1, 2, 15, 16, 17, 200, 255, 256, 257, 1024}) {
    std::vector<int128_t> counts;
    for (std::size_t i = 0; i < leaves; ++i) counts.push_back(static_cast<int>(engine() % 100));
    const std::vector<double> tree = numbers_of(tree_of(counts));
    double sum = 0;
    for (std::size_t j = 0; j <= leaves; ++j) {
      const auto nodes = nodes_before(leaves, j);
      ASSERT_EQ(sum_of(nodes, tree), sum) << leaves << " leaves, before " << j;
      ASSERT_LE(nodes.size(), 1 + 3 * kBranches / 2 + 3) << leaves << " leaves, before " << j;
      if (j < leaves) sum += static_cast<double>(counts[j]);
    }
  }
}

// Rows at points 0, 1, ..., m - 1, all nodes off by as much as `error` allows, in the worst way
// that random signs find. Returns how many intervals have no quantile.
int misses(double error, double believed) {
  constexpr std::size_t kPoints = 60;
  std::vector<double> points;
  for (std::size_t j = 0; j < kPoints; ++j) points.push_back(static_cast<double>(j));
  std::mt19937_64 engine(2);
  int missed = 0;
  for (int run = 0; run < 200; ++run) {
    std::vector<double> rows;
    for (int i = 0; i < 400; ++i) {
      const auto lesser = std::min(engine() % (kPoints - 1), engine() % (kPoints - 1));
      rows.push_back(static_cast<double>(lesser) + 0.5);
    }
    std::sort(rows.begin(), rows.end());
    std::vector<int128_t> counts(kPoints - 1, 0);
    for (const double row : rows) ++counts[static_cast<std::size_t>(row)];
    std::vector<double> tree = numbers_of(tree_of(counts));
    const bool alike = run % 2 == 0;  // all nodes are off to one side: errors add up
    for (double& node : tree) node += alike || engine() % 2 == 0 ? error : -error;
    TreeReach reach(points, believed);
    reach.read(tree);
    for (const double probability : {0.0, 0.1, 0.5, 0.75, 1.0}) {
      const auto rank = static_cast<std::size_t>(std::ceil(probability * 400));
      const double quantile = rows[rank == 0 ? 0 : rank - 1];
      missed += reach.lower(probability) > quantile || reach.upper(probability) < quantile;
    }
  }
  return missed;
}

TEST(QuantileReach, IntervalsOfTreesHoldTheQuantile) {
  EXPECT_EQ(misses(0, 0), 0);
  EXPECT_EQ(misses(1, 1), 0);
  EXPECT_EQ(misses(5, 5), 0);
  EXPECT_GT(misses(20, 0), 0);  // the test can see an interval that is too short
}

TEST(QuantileReach, IntervalsOfTreesAreShortWithoutNoise) {
  std::vector<int128_t> counts(40, 10);
  std::vector<double> points;
  for (int j = 0; j <= 40; ++j) points.push_back(j);
  TreeReach reach(points, 0);
  reach.read(numbers_of(tree_of(counts)));
  EXPECT_EQ(reach.lower(0.51), 20);
  EXPECT_EQ(reach.upper(0.51), 21);
}

// The exponential mechanism chooses scores beyond the reach with a probability of at most alpha;
// with few candidates near the best it is about alpha, so that a shorter reach would be wrong.
TEST(QuantileReach, RanksAreWithinTheReach) {
  Part part;
  part.kind = Part::Kind::scores;
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
