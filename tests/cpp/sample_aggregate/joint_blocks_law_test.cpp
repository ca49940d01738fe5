// Law of joint block releases, checked against the exact laws of all replacements of one block's
// results.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "core/accounting/pld.h"
#include "core/sample_aggregate/joint_blocks.h"
#include "support/centred_rows.h"
#include "support/frames.h"
#include "support/outcomes.h"

namespace dp::test::joint_blocks_law_test {
namespace {

// Ranges of integers from 0 to `steps`, with v = 2 q - steps.
struct Case {
  JointBlocksPlan plan;
  std::vector<int> steps;
};

using Row = std::vector<int>;  // v of each number; empty for a block that fails

std::vector<Row> all_rows(const Case& each) {
  std::vector<Row> rows = centred_rows({}, each.steps);
  if (each.plan.drops) rows.emplace_back();
  return rows;
}

Wide wide(const Rational& x) { return Wide(numerator(x)) / Wide(denominator(x)); }

// Releases of one block with `here`, and with `there`.
Outcomes replaced(const Case& each, const Row& here, const Row& there) {
  const JointBlocksScales scales = joint_blocks_scales(each.steps.size(), each.plan);
  Outcomes all = {{1, 1}};
  if (each.plan.drops) {
    const long apart = here.empty() == there.empty() ? 0 : 1;
    all = product(all, laplace_outcomes(wide(scales.count), apart));
  }
  const auto v = [](const Row& row, std::size_t i) { return row.empty() ? 0L : long{row[i]}; };
  for (std::size_t i = 0; i < each.steps.size(); ++i) {
    const long n = each.steps[i];
    const long a = v(here, i);
    const long b = v(there, i);
    all = product(all, laplace_outcomes(wide(scales.sum * Rational(n)), std::labs(a - b)));
    if (!each.plan.squares) continue;
    const Rational scale = scales.square * Rational(n * n);
    all = product(all, laplace_outcomes(wide(scale), std::labs(a * a - b * b)));
  }
  return all;
}

std::vector<double> shares_of(double most) {
  std::vector<double> epsilons;
  for (int i = 0; i < 12; ++i) epsilons.push_back(most * i / 12);
  return epsilons;
}

// Whether the law of a release at `scale`, for one row, is below the law of some pair of rows with
// the case's noise.
bool is_below(const Case& each, double scale) {
  std::vector<BlockOutput> outputs;
  for (const int n : each.steps) outputs.emplace_back(LatticeRange{{0}, 0, n}, n);
  const auto none = [](const BlockCells&, const BlockPlaces&) { return std::vector<Doubles>(); };
  const Measurement measurement = make_joint_blocks(
      BlockResults({column("x")}, BlockDesign::partitions(4, 4, 1), none, outputs.size()),
      outputs,
      {each.plan.drops, each.plan.squares, scale});
  const PrivacyProfile profile = compose_pld({{measurement, 1}}, Scalar(std::uint32_t{1}));
  const std::vector<Row> rows = all_rows(each);
  for (const Row& here : rows) {
    for (const Row& there : rows) {
      const Outcomes all = replaced(each, here, there);
      for (const double epsilon : shares_of(1 / each.plan.scale)) {
        if (Wide(profile.delta(epsilon)) < delta_of(all, epsilon)) return true;
      }
    }
  }
  return false;
}

TEST(JointBlocksLaw, D_EPS_2_NoBlockLosesMoreThanTheLawAndSomeLoseMoreThanALittleLess) {
  for (const bool drops : {false, true}) {
    for (const bool squares : {false, true}) {
      for (const std::vector<int>& steps : {std::vector<int>{1}, {2}, {3}, {1, 2}}) {
        const Case each{{drops, squares, 0.5}, steps};
        EXPECT_FALSE(is_below(each, 0.5)) << drops << squares << steps.size() << steps[0];
        EXPECT_TRUE(is_below(each, 0.55)) << drops << squares << steps.size() << steps[0];
      }
    }
  }
}

}  // namespace
}  // namespace dp::test::joint_blocks_law_test
