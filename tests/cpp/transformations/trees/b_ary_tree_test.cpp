#include "core/transformations/trees/b_ary_tree.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/limits.h"
#include "support/expect_error.h"
#include "support/neighbours.h"

namespace dp::test::b_ary_tree_test {
namespace {

using Counts = std::vector<std::int64_t>;

Transformation tree(std::uint64_t leaves,
                    std::uint64_t b,
                    const Metric& metric = l1_distance(AtomType::i64)) {
  return make_b_ary_tree(vector_of(default_atom(AtomType::i64)), metric, leaves, b);
}

Counts invoke(const Transformation& t, const Counts& counts) {
  Counts out;
  for (const auto& node : to_dataset<std::int64_t>(t.invoke(make_column(AtomType::i64, counts)))) {
    out.push_back(*node);
  }
  return out;
}

Counts ones(std::size_t n) { return Counts(n, 1); }

TEST(BAryTree, GivesTheWorkedTrees) {
  EXPECT_EQ(invoke(tree(7, 2), ones(7)), (Counts{7, 4, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1}));
  Counts ten = {10, 8, 2, 4, 4, 2, 0, 2, 2, 2, 2, 2, 0, 0, 0};
  ten.insert(ten.end(), 10, 1);
  EXPECT_EQ(invoke(tree(10, 2), ones(10)), ten);
  EXPECT_EQ(invoke(tree(7, 2), {5, 3, 2}), (Counts{10, 10, 0, 8, 2, 0, 0, 5, 3, 2}));
  EXPECT_EQ(invoke(tree(7, 2), {1, 2, 3, 4, 5, 6, 7, 8, 9}),
            (Counts{28, 10, 18, 3, 7, 11, 7, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(invoke(tree(4, 3), {1, 2, 3, 4}), (Counts{10, 6, 4, 0, 1, 2, 3, 4}));
  EXPECT_EQ(invoke(tree(1, 2), {4}), (Counts{4}));
  EXPECT_EQ(invoke(tree(3, 2), {}), (Counts{0, 0, 0}));
}

TEST(BAryTree, RefusesMoreLeavesThanMemoryHolds) {
  EXPECT_NO_THROW(tree(limits::kLeaves, 2));
  expect_error(ErrorKind::make_transformation, [] { tree(limits::kLeaves + 1, 2); });
  expect_error(ErrorKind::make_transformation, [] { tree((1u << 31) - 1, 2); });
  expect_error(ErrorKind::make_transformation, [] { tree(2, limits::kLeaves + 1); });
}

TEST(BAryTree, D_INT_1_SumsSaturate) {
  const auto t =
      make_b_ary_tree(vector_of(default_atom(AtomType::i8)), l1_distance(AtomType::i32), 4, 2);
  const Value out = t.invoke(make_column<std::int8_t>(AtomType::i8, {100, 100, -100, -100}));
  EXPECT_EQ(to_dataset<std::int8_t>(out),
            (Dataset<std::int8_t>{-1, 127, -128, 100, 100, -100, -100}));
}

TEST(BAryTree, ForgetsBoundsAndSize) {
  const auto t = make_b_ary_tree(
      vector_of(closed_atom(AtomType::i32, Scalar(std::int32_t{0}), Scalar(std::int32_t{9})), 7),
      l1_distance(AtomType::i32),
      7,
      2);
  EXPECT_EQ(t.output_domain(), vector_of(default_atom(AtomType::i32)));
}

TEST(BAryTree, RefusesWhatItMust) {
  expect_error(ErrorKind::make_transformation, [] { tree(0, 2); });
  expect_error(ErrorKind::make_transformation, [] { tree(7, 1); });
  expect_error(ErrorKind::make_transformation, [] { tree(7, 0); });
  expect_error(ErrorKind::make_transformation, [] { tree(~std::uint64_t{0}, 2); });
  expect_error(ErrorKind::make_transformation, [] { tree(2, ~std::uint64_t{0}); });
  expect_error(ErrorKind::type, [] { tree(7, 2, symmetric_distance()); });
  expect_error(ErrorKind::type, [] {
    make_b_ary_tree(vector_of(non_nan_atom(AtomType::f64)), l1_distance(AtomType::f64), 7, 2);
  });
  expect_error(ErrorKind::failed_map, [] {
    tree(8, 2, l1_distance(AtomType::i32)).map(Distance(Scalar(std::int32_t{-1})));
  });
  expect_error(ErrorKind::overflow, [] {
    tree(8, 2, l1_distance(AtomType::i32)).map(Distance(Scalar(std::int32_t{536870912})));
  });
}

// Squared L2 distances, and L1 distances.
std::int64_t norm(const Counts& a, const Counts& b, MetricKind kind) {
  std::int64_t total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::int64_t gap = std::abs(a[i] - b[i]);
    total += kind == MetricKind::l1 ? gap : gap * gap;
  }
  return total;
}

// Largest ratio of measured to claimed distances, over pairs of counts that differ by chosen and
// random vectors. It exceeds 1 for a wrong map.
double worst_ratio(const Transformation& t, std::size_t leaves) {
  const MetricKind kind = t.input_metric().kind;
  TestRandom random(leaves);
  double worst = 0;
  for (int round = 0; round < 200; ++round) {
    Counts a(leaves), b(leaves);
    for (std::size_t i = 0; i < leaves; ++i) {
      a[i] = static_cast<std::int64_t>(random.below(100));
      const auto step = static_cast<std::int64_t>(random.below(9)) - 4;
      // Equal changes in all leaves, a change in one leaf, or random changes.
      b[i] = a[i] + (round == 0 ? 3 : round == 1 ? (i == 0 ? 5 : 0) : step);
    }
    const std::int64_t in = norm(a, b, kind);
    if (in == 0) continue;
    const std::int64_t out = norm(invoke(t, a), invoke(t, b), kind);
    double ratio;
    if (kind == MetricKind::l1) {
      ratio = static_cast<double>(out) /
              static_cast<double>(number_in<std::int64_t>(t.map(Distance(Scalar(in)))));
    } else {
      // Distances are integers, so the claim is for the next one above the root.
      const auto d_in = std::sqrt(static_cast<double>(in));
      const auto one =
          static_cast<double>(number_in<std::int64_t>(t.map(Distance(Scalar(std::int64_t{1})))));
      ratio = std::sqrt(static_cast<double>(out)) / (d_in * one);
    }
    worst = std::max(worst, ratio);
  }
  return worst;
}

TEST(BAryTree, D_SEN_1_TheMapCoversTheOperatorNorm) {
  for (const std::uint64_t b : {2, 3, 4, 10}) {
    for (const std::uint64_t leaves : {1, 2, 7, 16, 17, 100, 1000}) {
      const auto count = static_cast<std::size_t>(leaves);
      EXPECT_EQ(worst_ratio(tree(leaves, b), count), 1) << leaves << " leaves, b = " << b;
      const double l2 = worst_ratio(tree(leaves, b, l2_distance(AtomType::i64)), count);
      EXPECT_LE(l2, 1) << leaves << " leaves, b = " << b;
      EXPECT_GE(l2, 0.5) << leaves << " leaves, b = " << b;
    }
  }
}

TEST(BAryTree, D_SEN_1_MutantsAreRejectedAndThePublishedL2MapIsOne) {
  const auto t = tree(16, 2);
  EXPECT_GT(worst_ratio(with_map(t,
                                 [&](const Distance& d) {
                                   return Distance(Scalar(number_in<std::int64_t>(t.map(d)) -
                                                          number_in<std::int64_t>(d)));
                                 }),
                        16),
            1);
  // Mutant: multiplies L2 by the number of layers, which is right only for L1.
  const auto l2 = tree(16, 2, l2_distance(AtomType::i64));
  EXPECT_GT(worst_ratio(with_map(l2,
                                 [](const Distance& d) {
                                   return Distance(Scalar(5 * number_in<std::int64_t>(d)));
                                 }),
                        16),
            1);
}

TEST(BAryTree, D_DOM_1_NodesAreMembersOfTheOutputDomainWhichForgetsBounds) {
  const Domain bounded =
      vector_of(closed_atom(AtomType::i64, Scalar(std::int64_t{-9}), Scalar(std::int64_t{9})), 5);
  const auto t = make_b_ary_tree(bounded, l1_distance(AtomType::i64), 5, 2);
  const Transformation keeps_bounds(t.input_domain(),
                                    t.input_metric(),
                                    bounded,
                                    t.input_metric(),
                                    t.function(),
                                    t.stability_map());
  TestRandom random(5);
  std::size_t left = 0;
  for (int round = 0; round < 1000; ++round) {
    Dataset<std::int64_t> counts;
    for (int i = 0; i < 5; ++i) {
      counts.emplace_back(static_cast<std::int64_t>(random.below(19)) - 9);
    }
    const Value nodes = t.invoke(to_value(AtomType::i64, counts));
    ASSERT_TRUE(detail::in_output_domain(t, nodes));
    left += detail::in_output_domain(keeps_bounds, nodes) ? 0 : 1;
  }
  EXPECT_EQ(left, 1000u);  // the size alone gives it away
}

TEST(ChooseBranchingFactor, GivesTheWorkedFactors) {
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> worked = {{0, 0},
                                                                       {1, 1},
                                                                       {2, 2},
                                                                       {3, 2},
                                                                       {4, 4},
                                                                       {10, 10},
                                                                       {50, 50},
                                                                       {100, 100},
                                                                       {200, 39},
                                                                       {500, 29},
                                                                       {1000, 26},
                                                                       {2000, 24},
                                                                       {5000, 23},
                                                                       {10000, 22},
                                                                       {100000, 20},
                                                                       {1000000, 20}};
  for (const auto& [size, factor] : worked)
    EXPECT_EQ(choose_branching_factor(size), factor) << size;
}

TEST(ChooseBranchingFactor, StopsOnlyWhenNoLargerFactorCanWin) {
  for (std::uint32_t size = 2; size < 600; ++size) {
    std::uint32_t best = 2;
    double least = HUGE_VAL;
    for (std::uint32_t b = 2; b <= size; ++b) {
      const double h = std::log(static_cast<double>(size)) / std::log(static_cast<double>(b));
      const double variance = (b - 1.0) * h * h * h - 2 * (b + 1.0) * h * h / 3;
      if (variance < least) least = variance, best = b;
    }
    ASSERT_EQ(choose_branching_factor(size), best) << size;
  }
  EXPECT_LE(choose_branching_factor(4294967295), 30u);
}

}  // namespace
}  // namespace dp::test::b_ary_tree_test
