// The planned design against a search, and tables rebuilt from effects against dense algebra.
#include "core/tables/design.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/tables/rebuilt.h"
#include "support/expect_error.h"
#include "support/neighbours.h"

namespace dp::test::design_test {
namespace {

using namespace tables;  // NOLINT: tests of tables speak their language

double error_of(const Shape& sizes,
                const std::vector<WorkloadTable>& workload,
                const std::vector<PlannedEffect>& effects) {
  double error = 0;
  for (const WorkloadTable& table : workload) {
    double variance = 0;
    double cells = 1;
    for (const std::size_t i : table.columns) cells *= static_cast<double>(sizes[i]);
    for (const PlannedEffect& effect : effects) {
      const bool within = std::includes(
          table.columns.begin(), table.columns.end(), effect.columns.begin(), effect.columns.end());
      if (!within) continue;
      double coefficient = 1;
      for (const std::size_t i : table.columns) {
        const double n = static_cast<double>(sizes[i]);
        const bool is_in =
            std::find(effect.columns.begin(), effect.columns.end(), i) != effect.columns.end();
        coefficient *= is_in ? (n - 1) / n : 1 / (n * n);
      }
      variance += coefficient * effect.variance;
    }
    error += table.importance * cells * std::sqrt(variance);
  }
  return error;
}

double cost_of_effect(const Shape& sizes, const ColumnSet& columns, bool replaced) {
  double cost = 1;
  double least = 1e9;
  for (const std::size_t i : columns) {
    const double n = static_cast<double>(sizes[i]);
    cost *= (n - 1) / n;
    least = std::min(least, n);
  }
  return replaced && !columns.empty() ? 2 * cost * least / (least - 1) : cost;
}

std::vector<WorkloadTable> random_workload(TestRandom& random, std::size_t columns) {
  std::vector<WorkloadTable> workload;
  for (std::size_t i = 0; i < columns; ++i) workload.push_back({{i}, 1});
  const std::size_t more = 1 + random.below(4);
  for (std::size_t t = 0; t < more; ++t) {
    std::set<std::size_t> chosen;
    const std::size_t size = 1 + random.below(3);
    for (std::size_t k = 0; k < size; ++k) chosen.insert(random.below(columns));
    workload.push_back(
        {ColumnSet(chosen.begin(), chosen.end()), static_cast<double>(1 + random.below(4))});
  }
  return workload;
}

TEST(PlannedDesign, spends_the_loss_and_no_shift_of_it_between_effects_has_less_error) {
  TestRandom random(5);
  for (int i = 0; i < 200; ++i) {
    Shape sizes;
    const std::size_t columns = 1 + random.below(5);
    for (std::size_t k = 0; k < columns; ++k) sizes.push_back(2 + random.below(6));
    const auto workload = random_workload(random, columns);
    const bool replaced = i % 2 == 1;
    const Design design = planned_design(sizes, workload, replaced);
    double shares = 0;
    for (const PlannedEffect& each : design.effects) {
      const double loss = cost_of_effect(sizes, each.columns, replaced) / (2 * each.variance);
      EXPECT_NEAR(loss, each.share, 1e-9);
      shares += each.share;
    }
    EXPECT_NEAR(shares, 1, 1e-9);
    const double least = error_of(sizes, workload, design.effects);
    for (std::size_t from = 0; from < design.effects.size(); ++from) {
      for (std::size_t to = 0; to < design.effects.size(); ++to) {
        if (from == to) continue;
        std::vector<PlannedEffect> moved = design.effects;
        const double part = moved[from].share / 20;
        for (const auto& [at, by] : {std::pair(from, -part), std::pair(to, part)}) {
          moved[at].variance *= moved[at].share / (moved[at].share + by);
        }
        // The error is convex in the variances, so no local improvement means none at all.
        ASSERT_GE(error_of(sizes, workload, moved), least * (1 - 1e-6));
      }
    }
  }
}

TEST(PlannedDesign, has_all_effects_within_the_tables_once) {
  const Design design = planned_design({2, 3, 1, 4}, {{{0, 1, 2}}, {{1, 3}}, {{0, 1}}}, false);
  std::vector<ColumnSet> sets;
  for (const PlannedEffect& each : design.effects) sets.push_back(each.columns);
  EXPECT_EQ(sets, (std::vector<ColumnSet>{{}, {0}, {1}, {3}, {0, 1}, {1, 3}}));
  EXPECT_EQ(design.variances.size(), 3u);
}

TEST(PlannedDesign, of_permuted_columns_is_the_permuted_design) {
  const Shape sizes{2, 5, 3};
  const Design design = planned_design(sizes, {{{0, 1}}, {{1, 2}, 2}, {{0}}}, false);
  // Columns 0, 1, 2 become 2, 0, 1.
  const std::vector<std::size_t> to{2, 0, 1};
  const Design other = planned_design({5, 3, 2}, {{{2}}, {{0, 1}, 2}, {{0, 2}}}, false);
  for (const PlannedEffect& each : design.effects) {
    ColumnSet moved;
    for (const std::size_t i : each.columns) moved.push_back(to[i]);
    std::sort(moved.begin(), moved.end());
    const auto same = std::find_if(other.effects.begin(),
                                   other.effects.end(),
                                   [&](const auto& one) { return one.columns == moved; });
    ASSERT_NE(same, other.effects.end());
    EXPECT_NEAR(same->share, each.share, 1e-11);
  }
}

TEST(PlannedDesign, refuses_tables_with_too_many_cells_effects_or_numbers) {
  const auto refuse = [](const Shape& sizes) {
    ColumnSet all;
    for (std::size_t i = 0; i < sizes.size(); ++i) all.push_back(i);
    expect_error(ErrorKind::unsupported, [&] { planned_design(sizes, {{all}}, false); });
  };
  refuse({1001, 1000});
  refuse(Shape(17, 2));  // 2^17 effects
  // 2^14 effects with 3^4 4^10 numbers in all.
  refuse({2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3});
}

// The variance of a cell by dense algebra: the cell is a linear function of the noisy numbers.
double dense_variance(const Shape& shape, const std::vector<NoisyEffect>& effects) {
  double variance = 0;
  for (std::size_t a = 0; a < effects.size(); ++a) {
    for (std::size_t k = 0; k < effects[a].numbers.size(); ++k) {
      std::vector<NoisyEffect> unit = effects;
      for (NoisyEffect& each : unit) each.numbers.assign(each.numbers.size(), 0);
      unit[a].numbers[k] = 1;
      const double moved = rebuilt_table(shape, unit).estimates[0] * effects[a].deviation;
      variance += moved * moved;
    }
  }
  return variance;
}

TEST(RebuiltTable, equals_the_counts_without_noise_and_has_the_variance_of_dense_algebra) {
  TestRandom random(8);
  for (const Shape& shape : {Shape{3}, Shape{2, 3}, Shape{2, 1, 3}, Shape{3, 2, 2}}) {
    std::vector<int128_t> counts;
    for (std::size_t i = 0; i < cells_of(shape); ++i) {
      counts.push_back(static_cast<int128_t>(random.below(100)));
    }
    std::vector<NoisyEffect> effects;
    for (std::size_t set = 0; set < std::size_t{1} << shape.size(); ++set) {
      std::vector<bool> kept;
      bool is_empty = false;
      for (std::size_t i = 0; i < shape.size(); ++i) {
        kept.push_back((set >> i & 1) == 1);
        is_empty = is_empty || (kept.back() && shape[i] == 1);
      }
      if (is_empty) continue;
      std::vector<double> numbers;
      for (const int128_t z : scaled_effect(margin(counts, shape, kept), kept_shape(shape, kept))) {
        numbers.push_back(static_cast<double>(z));
      }
      effects.push_back({kept, numbers, 1 + static_cast<double>(set)});
    }
    const RebuiltTable table = rebuilt_table(shape, effects);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      EXPECT_NEAR(table.estimates[i], static_cast<double>(counts[i]), 1e-9);
    }
    const double variance = dense_variance(shape, effects);
    EXPECT_NEAR(table.deviation * table.deviation, variance, 1e-12 * variance);
  }
}

}  // namespace
}  // namespace dp::test::design_test
