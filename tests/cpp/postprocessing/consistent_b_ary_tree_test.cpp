#include "core/postprocessing/consistent_b_ary_tree.h"

#include <gtest/gtest.h>

#include "core/transformations/trees/b_ary_tree.h"
#include "support/expect_error.h"
#include "support/neighbours.h"

namespace dp::test::consistent_b_ary_tree_test {
namespace {

using Nodes = std::vector<std::int32_t>;

std::vector<double> leaves(std::uint64_t b, const Nodes& nodes) {
  const Function f = make_consistent_b_ary_tree(b, AtomType::i32, AtomType::f64);
  std::vector<double> out;
  for (const auto& leaf : to_dataset<double>(f(make_column(AtomType::i32, nodes)))) {
    out.push_back(*leaf);
  }
  return out;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-12 * std::abs(b[i])) << i;
}

TEST(ConsistentBAryTree, GivesTheWorkedLeaves) {
  expect_near(leaves(2, {7, 4, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1}), std::vector<double>(7, 1.0));
  expect_near(leaves(2, {10, 6, 3, 2, 4, 1, 1}),
              {2.1904761904761902, 4.19047619047619, 1.5238095238095237, 1.5238095238095237});
  expect_near(leaves(2, {10, 5, 4, 2, 3, 5}),
              {2.076923076923077, 3.076923076923077, 4.615384615384616});
  expect_near(leaves(3, {20, 9, 8, 5, 3, 2, 4, 1, 3}),
              {3.4482758620689657,
               2.4482758620689657,
               4.448275862068965,
               2.931034482758621,
               4.931034482758621});
}

TEST(ConsistentBAryTree, GivesExactLeavesBack) {
  TestRandom random(4);
  for (const std::uint64_t b : {2, 3, 5}) {
    for (const std::size_t count : {1, 2, 4, 8, 9, 26}) {
      Nodes counts(count);
      std::vector<double> expected;
      for (auto& leaf : counts) {
        leaf = static_cast<std::int32_t>(random.below(50)) - 10;
        expected.push_back(leaf);
      }
      const auto tree = make_b_ary_tree(
          vector_of(default_atom(AtomType::i32)), l1_distance(AtomType::i32), count, b);
      Nodes nodes;
      for (const auto& x :
           to_dataset<std::int32_t>(tree.invoke(make_column(AtomType::i32, counts)))) {
        nodes.push_back(*x);
      }
      const auto out = leaves(b, nodes);
      ASSERT_EQ(out.size(), count);
      for (std::size_t i = 0; i < count; ++i) EXPECT_NEAR(out[i], expected[i], 1e-10);
    }
  }
}

// Leaves of least variance solve a least-squares problem. In a complete tree, their residuals are
// orthogonal to the effect of each leaf.
TEST(ConsistentBAryTree, SolvesTheLeastSquaresProblem) {
  TestRandom random(6);
  Nodes nodes(15);
  for (auto& node : nodes) node = static_cast<std::int32_t>(random.below(100));
  const auto x = leaves(2, nodes);
  std::vector<double> fitted(15);
  for (std::size_t i = 0; i < 8; ++i) fitted[7 + i] = x[i];
  for (std::size_t i = 7; i-- > 0;) fitted[i] = fitted[2 * i + 1] + fitted[2 * i + 2];
  for (std::size_t leaf = 7; leaf < 15; ++leaf) {
    double gradient = fitted[leaf] - nodes[leaf];
    for (std::size_t i = leaf; i > 0;) {
      i = (i - 1) / 2;
      gradient += fitted[i] - nodes[i];
    }
    EXPECT_NEAR(gradient, 0, 1e-10);
  }
}

TEST(ConsistentBAryTree, RefusesWhatItMust) {
  expect_error(ErrorKind::make_transformation,
               [] { make_consistent_b_ary_tree(1, AtomType::i32, AtomType::f64); });
  expect_error(ErrorKind::type,
               [] { make_consistent_b_ary_tree(2, AtomType::f64, AtomType::f64); });
  expect_error(ErrorKind::type,
               [] { make_consistent_b_ary_tree(2, AtomType::i32, AtomType::i32); });
  expect_error(ErrorKind::failed_function, [] { leaves(2, {}); });
  expect_error(ErrorKind::failed_cast, [] {
    make_consistent_b_ary_tree(
        2, AtomType::i64, AtomType::f64)(make_column<std::int32_t>(AtomType::i32, {1}));
  });
}

}  // namespace
}  // namespace dp::test::consistent_b_ary_tree_test
