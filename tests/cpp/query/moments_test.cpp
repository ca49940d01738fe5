// Joint moments of a query: their values, and how far one row moves them, alone and together.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/query/estimates.h"
#include "core/query/kernel.h"
#include "query/neighbour_fuzz.h"
#include "query/reference_kernel.h"
#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/query_statements.h"
#include "support/tier.h"

namespace dp::test::moments_test {
namespace {

using namespace query;  // NOLINT: tests of queries speak their language

using Kind = Aggregate::Kind;

struct Row {
  double x;
  std::int64_t w;
  std::string k;
  std::string g;
  std::int64_t weight = 1;
};

const std::vector<std::string> kLevels{"a", "b", "c"};
const std::vector<std::string> kOthers{"p", "q"};

Aggregate moment_of(const std::string& of, const std::string& times, std::vector<std::string> by) {
  Aggregate one;
  one.kind = Kind::moment;
  one.name = of + "*" + times;
  if (!of.empty()) one.of = column_named(of);
  if (!times.empty()) one.times = column_named(times);
  for (const std::string& cell : by) {
    one.name += "|" + cell;
    one.cells.push_back(column_named(cell));
  }
  return one;
}

// All moments of a model of two numbers and two factors; squares and the count have half the
// weight.
std::vector<Aggregate> model() {
  Aggregate count;
  count.name = "n";
  count.kind = Kind::count;
  std::vector<Aggregate> all{count,
                             moment_of("x", "x", {}),
                             moment_of("w", "w", {}),
                             moment_of("x", "", {}),
                             moment_of("w", "", {}),
                             moment_of("x", "w", {}),
                             moment_of("", "", {"k"}),
                             moment_of("", "", {"g"}),
                             moment_of("x", "", {"k"}),
                             moment_of("w", "", {"k"}),
                             moment_of("x", "", {"g"}),
                             moment_of("w", "", {"g"}),
                             moment_of("", "", {"g", "k"})};
  for (std::size_t i = 0; i < 3; ++i) all[i].weight = 0.5;
  return all;
}

constexpr std::int64_t kMostWeight = 3;

std::vector<Aggregate> weighted_model() {
  std::vector<Aggregate> all = model();
  for (Aggregate& each : all) each.weights = column_named("weight");
  return all;
}

Statement statement_of(const std::vector<Aggregate>& aggregates, bool gaps = false) {
  Statement statement;
  statement.source.fields = {real_field("x", -2, 5),
                             whole_field("w", 0, 4),
                             levels_field("k", kLevels),
                             levels_field("g", kOthers),
                             whole_field("weight", 0, kMostWeight)};
  for (Field& field : statement.source.fields) field.may_be_missing = gaps;
  statement.source.unit.kind = Unit::Kind::rows;
  statement.aggregates = aggregates;
  for (const Aggregate& each : aggregates) {
    statement.outputs.push_back({each.name, column_named(each.name)});
  }
  return statement;
}

QueryPlan plan_of(const Statement& statement) {
  return QueryPlan(statement, Loss{false, 1, 0}, Alpha(0.05));
}

QueryRows rows_of(const std::vector<Row>& table) {
  std::vector<double> x;
  std::vector<std::int64_t> w;
  std::vector<std::optional<std::string>> k;
  std::vector<std::optional<std::string>> g;
  std::vector<std::int64_t> weight;
  for (const Row& row : table) {
    x.push_back(row.x);
    w.push_back(row.w);
    weight.push_back(row.weight);
    k.emplace_back(row.k);
    g.emplace_back(row.g);
  }
  return QueryRows(table.size(),
                   {column_of("x", QueryColumn::Kind::real, x),
                    column_of("w", QueryColumn::Kind::int64, w),
                    text_column("k", k),
                    text_column("g", g),
                    column_of("weight", QueryColumn::Kind::int64, weight)});
}

// Exact numbers of a part, for a table without groups.
std::vector<Integer> numbers(const QueryPlan& plan,
                             const NoisyComponent& part,
                             const ExactAggregates& tallied) {
  return exact_numbers(plan.parts(), part, tallied, {tallied.keys.empty() ? kNoGroup : 0});
}

std::vector<std::vector<Integer>> numbers(const QueryPlan& plan, const std::vector<Row>& table) {
  const ExactAggregates tallied =
      tally(plan.statement(), plan.parts().tallies, rows_of(table), Salt{});
  std::vector<std::vector<Integer>> all;
  for (const NoisyComponent& part : plan.parts().parts) all.push_back(numbers(plan, part, tallied));
  return all;
}

// The distance of a value from the middle, in half steps of its lattice, and the largest distance.
struct Centred {
  Integer value;
  Integer most;
};
Centred centred(const Row& row, const std::string& name) {
  if (name == "w") {
    return {2 * std::min<std::int64_t>(std::max<std::int64_t>(row.w, 0), 4) - 4, 4};
  }
  // Half of the range is 3.5, so the step is 2^(2 - 25).
  const double step = std::ldexp(1.0, -23);
  const double point = std::nearbyint(std::min(std::max(row.x, -2.0), 5.0) / step);
  const auto z = static_cast<std::int64_t>(point);
  const auto shift = static_cast<std::int64_t>(2 / step);
  const auto range = static_cast<std::int64_t>(7 / step);
  return {2 * Integer(z + shift) - range, range};
}

std::vector<Integer> plain(const Aggregate& aggregate, const std::vector<Row>& table) {
  std::size_t cells = 1;
  for (const ExpressionPtr& cell : aggregate.cells) {
    const bool is_k = std::get<ColumnReference>(cell->node()).name == "k";
    cells *= is_k ? kLevels.size() - 1 : kOthers.size() - 1;
  }
  std::vector<Integer> sums(cells, 0);
  for (const Row& row : table) {
    Integer product = 1;
    bool within = true;
    for (const ExpressionPtr& of : {aggregate.of, aggregate.times}) {
      if (of == nullptr) continue;
      const std::string& name = std::get<ColumnReference>(of->node()).name;
      within = within && !(name == "x" ? std::isnan(row.x) : row.w == kNa64);
      if (within) product *= centred(row, name).value;
    }
    std::size_t at = 0;
    for (const ExpressionPtr& cell : aggregate.cells) {
      const bool is_k = std::get<ColumnReference>(cell->node()).name == "k";
      const std::vector<std::string>& levels = is_k ? kLevels : kOthers;
      const std::string& value = is_k ? row.k : row.g;
      const auto found = std::find(levels.begin(), levels.end(), value);
      const auto place = found == levels.end() ? 0 : found - levels.begin();
      within = within && place > 0;
      at = at * (levels.size() - 1) + static_cast<std::size_t>(place) - (place > 0 ? 1 : 0);
    }
    if (within) sums[at] += product;
  }
  return sums;
}

TEST(Moments, are_counted_as_plain_sums_of_products_of_rows_with_values) {
  const Statement statement = statement_of(model(), true);
  const QueryPlan plan = plan_of(statement);
  TestRandom random(1);
  for (int i = 0; i < 300; ++i) {
    std::vector<Row> table(random.below(40));
    for (Row& row : table) {
      row.x = random.pick<double>({kNaN, -1e300, -2, -0.7, 0, 0.1, 1.5, 4.9999, 5, 1e300});
      row.w = random.pick<std::int64_t>({kNa64, -7, 0, 1, 2, 3, 4, 9});
      row.k = random.pick<std::string>({"a", "b", "c", "other"});
      row.g = random.pick<std::string>({"p", "q", ""});
    }
    const auto found = numbers(plan, table);
    for (const AggregateComponents& places : plan.parts().aggregates) {
      const Aggregate& aggregate = statement.aggregates[places.aggregate];
      if (aggregate.kind != Kind::moment) continue;
      ASSERT_EQ(found[places.main.front()], plain(aggregate, table)) << aggregate.name;
    }
  }
}

// With weights, the last column is w (x - c) on its own lattice; x from -2 to 5 has c = 1.5.
Centred centred_product(const Row& row, const std::string& name) {
  const double weight =
      static_cast<double>(std::min(std::max<std::int64_t>(row.weight, 0), kMostWeight));
  const double half = name == "w" ? 2 : 3.5;
  const double value =
      name == "w"
          ? static_cast<double>(std::min(std::max<std::int64_t>(row.w, 0), std::int64_t{4})) - 2
          : std::min(std::max(row.x, -2.0), 5.0) - 1.5;
  const double most = kMostWeight * half;
  // The product of whole numbers has steps of 1. Half of the other range is 10.5, so the step is
  // 2^(4 - 25).
  const double step = name == "w" ? 1 : std::ldexp(1.0, -21);
  return {2 * Integer(static_cast<std::int64_t>(std::nearbyint(weight * value / step))),
          2 * Integer(static_cast<std::int64_t>(most / step))};
}

std::vector<Integer> plain_weighted(const Aggregate& aggregate, const std::vector<Row>& table) {
  std::vector<Integer> sums;
  for (const Row& row : table) {
    Aggregate alone = aggregate;
    Integer factor = 0;
    if (row.weight != kNa64) {
      factor = std::min(std::max<std::int64_t>(row.weight, 0), kMostWeight);
      const ExpressionPtr last = aggregate.times != nullptr ? aggregate.times : aggregate.of;
      if (last != nullptr) {
        const std::string& name = std::get<ColumnReference>(last->node()).name;
        const bool missing = name == "x" ? std::isnan(row.x) : row.w == kNa64;
        factor = missing ? Integer(0) : centred_product(row, name).value;
        alone.of = aggregate.times != nullptr ? aggregate.of : nullptr;
        alone.times = nullptr;
      }
    }
    const std::vector<Integer> one = plain(alone, {row});
    sums.resize(one.size(), 0);
    for (std::size_t i = 0; i < one.size(); ++i) sums[i] += factor * one[i];
  }
  return sums;
}

TEST(Moments, with_weights_are_plain_sums_of_weighted_products) {
  const Statement statement = statement_of(weighted_model(), true);
  const QueryPlan plan = plan_of(statement);
  TestRandom random(2);
  for (int i = 0; i < 300; ++i) {
    std::vector<Row> table(1 + random.below(40));
    for (Row& row : table) {
      row.x = random.pick<double>({kNaN, -1e300, -2, -0.7, 0, 0.1, 1.5, 4.9999, 5, 1e300});
      row.w = random.pick<std::int64_t>({kNa64, -7, 0, 1, 2, 3, 4, 9});
      row.k = random.pick<std::string>({"a", "b", "c", "other"});
      row.g = random.pick<std::string>({"p", "q", ""});
      row.weight = random.pick<std::int64_t>({kNa64, -1, 0, 1, 2, 3, 8});
    }
    const auto found = numbers(plan, table);
    for (const AggregateComponents& places : plan.parts().aggregates) {
      const Aggregate& aggregate = statement.aggregates[places.aggregate];
      if (aggregate.kind != Kind::moment) continue;
      ASSERT_EQ(found[places.main.front()], plain_weighted(aggregate, table)) << aggregate.name;
    }
  }
}

std::vector<Row> all_rows() {
  std::vector<Row> rows;
  for (const double x : {-2.0, 1.5, 5.0}) {
    for (const std::int64_t w : {0, 2, 4}) {
      for (const std::string& k : kLevels) {
        for (const std::string& g : kOthers) rows.push_back({x, w, k, g});
      }
    }
  }
  return rows;
}

// The change of a part, in units of the largest change by one row.
double moved(const QueryPlan& plan,
             std::size_t part,
             const std::vector<std::vector<Integer>>& x,
             const std::vector<std::vector<Integer>>& y) {
  const NoisyComponent& each = plan.parts().parts[part];
  const Integer change = change_of(plan.parts(), each, x[part], y[part]).l1;
  return to_double_nearest(Rational(change) / Rational(each.effect.unit));
}

// Expects that a row moves all moments by the bound in the unit of each, and reaches it.
void expect_bound_of_factors(const QueryPlan& plan, std::int64_t heaviest) {
  const auto& parts = plan.parts().parts;
  double most = 0;
  double most_squared = 0;
  std::vector<double> furthest(parts.size(), 0);
  for (const Row& other : all_rows()) {
    const auto before = numbers(plan, {other});
    for (Row row : all_rows()) {
      row.weight = heaviest;
      const auto after = numbers(plan, {other, row});
      double l1 = 0;
      double l2 = 0;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const double change = moved(plan, i, before, after);
        ASSERT_LE(change, 1) << parts[i].column;
        furthest[i] = std::max(furthest[i], change);
        l1 += parts[i].weight * change;
        l2 += change * change;
      }
      most = std::max(most, l1);
      most_squared = std::max(most_squared, l2);
    }
  }
  const double q = 2;
  const double factors = 2;
  const double size = q + factors + 1;
  EXPECT_DOUBLE_EQ(most, (size * size - factors) / 2);
  EXPECT_DOUBLE_EQ(most_squared, size * (size + 1) / 2 - factors);
  for (const double each : furthest) EXPECT_DOUBLE_EQ(each, 1);
}

TEST(Moments, D_QRY_1_one_row_moves_all_moments_by_the_bound_of_factors_and_reaches_it) {
  expect_bound_of_factors(plan_of(statement_of(model())), 1);
}

TEST(Moments, D_QRY_1_the_heaviest_row_moves_weighted_moments_by_the_same_bound) {
  const QueryPlan plan = plan_of(statement_of(weighted_model()));
  expect_bound_of_factors(plan, kMostWeight);
  // In the unit of the release, the bound of x w is its largest weight times both half-widths.
  for (const NoisyComponent& part : plan.parts().parts) {
    if (part.column != "x*w") continue;
    const Rational unit = Rational(part.effect.unit) * power_of_two(part.exponent);
    EXPECT_DOUBLE_EQ(to_double_nearest(unit), kMostWeight * 3.5 * 2);
  }
}

TEST(Moments, the_noise_has_the_scale_of_the_bound) {
  const double epsilon = 0.5;
  const QueryPlan plan(statement_of(model()), Loss{false, epsilon, 0}, Alpha(0.05));
  const double scale = (25.0 - 2) / 2 / epsilon;
  for (std::size_t i = 0; i < plan.parts().parts.size(); ++i) {
    const NoisyComponent& part = plan.parts().parts[i];
    const double unit = to_double_nearest(Rational(part.effect.unit));
    EXPECT_NEAR(plan.laws()[i]->scale() / unit, scale / part.weight, scale * 1e-6) << part.column;
  }
}

TEST(Moments, D_QRY_1_a_replaced_row_moves_no_further_than_maps_say) {
  Statement statement = statement_of(model());
  statement.aggregates.erase(statement.aggregates.begin());
  statement.outputs.erase(statement.outputs.begin());
  statement.source.unit.kind = Unit::Kind::changes;
  const QueryPlan plan = plan_of(statement);
  const auto& parts = plan.parts().parts;
  std::vector<Integer> furthest(parts.size(), 0);
  for (const Row& before : all_rows()) {
    const auto x = numbers(plan, {before});
    for (const Row& after : all_rows()) {
      const auto y = numbers(plan, {after});
      for (std::size_t i = 0; i < parts.size(); ++i) {
        furthest[i] = std::max(furthest[i], change_of(plan.parts(), parts[i], x[i], y[i]).l1);
      }
    }
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    EXPECT_EQ(furthest[i], claim_of_map(plan, parts[i]).l1) << parts[i].column;
  }
}

TEST(Moments, below_0_are_impossible_only_for_squares_and_counts) {
  const Statement statement = statement_of(model());
  const QueryPlan plan = plan_of(statement);
  std::vector<Measured> measured;
  for (const NoisyComponent& part : plan.parts().parts) {
    const std::size_t width = std::max<std::size_t>(part.moments.size(), 1);
    measured.push_back({width, std::vector<Integer>(width, -100000 * part.effect.unit)});
  }
  const NoisyComponents noisy{statement, plan.parts(), plan.laws(), plan.kind(), measured, 1};
  for (const AggregateComponents& places : plan.parts().aggregates) {
    const Aggregate& aggregate = statement.aggregates[places.aggregate];
    const bool is_square = aggregate.times != nullptr && aggregate.name[0] == aggregate.name[2];
    const Estimates found = estimates_of(noisy, places.aggregate, Alpha(0.05));
    const bool impossible = found.marks.front() == Mark::is_outside;
    EXPECT_EQ(impossible, is_square || aggregate.of == nullptr) << aggregate.name;
  }
}

// Random neighbours.

bool ask_for_moments(Statement& statement) {
  statement.aggregates = {moment_of("x", "", {}),
                          moment_of("x", "x", {}),
                          moment_of("x", "n", {}),
                          moment_of("n", "", {"k"}),
                          moment_of("", "", {"k"}),
                          moment_of("n", "x", {"k"})};
  output_all(statement);
  return true;
}

TEST(Moments, D_QRY_1_T_NBR_move_no_query_further_than_its_map_says) {
  const FuzzVerdict found =
      NeighbourFuzz(count_with_kernel, claim_of_map, ask_for_moments).run(41, in_tier(60, 1000), 4);
  EXPECT_EQ(found.violations, 0) << found.first;
  EXPECT_EQ(found.reached.count(Kind::moment), 1u);
}

TEST(Moments, T_MUT_a_moment_that_is_charged_a_step_less_is_noticed) {
  for (const bool cells : {false, true}) {
    const QueryClaim less = [cells](const QueryPlan& plan, NoisyComponent part) {
      if ((part.moments.size() > 1) == cells) part.effect.unit -= 1;
      return component_sensitivity(part, plan.bound_of(part, plan.statement().source.unit.count));
    };
    EXPECT_GT(NeighbourFuzz(count_with_kernel, less, ask_for_moments).run(42, 1000, 6).violations,
              0);
  }
}

TEST(Moments, T_MUT_a_map_that_forgets_a_factor_of_a_product_is_noticed) {
  const QueryClaim forgotten = [](const QueryPlan& plan, NoisyComponent part) {
    if (part.kind == NoisyComponent::Kind::moments && part.moments.front().size() == 4) {
      part.effect.unit /= plan.parts().tallies[part.tally].quantiser.most;
    }
    return component_sensitivity(part, plan.bound_of(part, plan.statement().source.unit.count));
  };
  EXPECT_GT(NeighbourFuzz(count_with_kernel, forgotten, ask_for_moments).run(43, 200, 6).violations,
            0);
}

// Weighted moments, of weights up to the largest magnitude of x.
bool ask_for_weighted_moments(Statement& statement) {
  ask_for_moments(statement);
  for (Aggregate& each : statement.aggregates) {
    each.weights = call("abs", {column_named("x")});
  }
  return true;
}

TEST(Moments, D_QRY_1_T_NBR_with_weights_move_no_query_further_than_its_map_says) {
  const FuzzVerdict found = NeighbourFuzz(count_with_kernel, claim_of_map, ask_for_weighted_moments)
                                .run(44, in_tier(60, 1000), 4);
  EXPECT_EQ(found.violations, 0) << found.first;
  EXPECT_EQ(found.reached.count(Kind::moment), 1u);
}

TEST(Moments, T_MUT_a_weighted_moment_that_is_charged_less_is_noticed) {
  for (const bool cells : {false, true}) {
    const QueryClaim less = [cells](const QueryPlan& plan, NoisyComponent part) {
      if ((part.moments.size() > 1) == cells) part.effect.unit -= part.effect.unit / 8 + 1;
      return component_sensitivity(part, plan.bound_of(part, plan.statement().source.unit.count));
    };
    EXPECT_GT(NeighbourFuzz(count_with_kernel, less, ask_for_weighted_moments)
                  .run(45, 1000, 6)
                  .violations,
              0);
  }
}

TEST(Moments, T_MUT_a_map_of_the_unweighted_moments_is_noticed) {
  const QueryClaim unweighted = [](const QueryPlan& plan, NoisyComponent part) {
    Statement statement = plan.statement();
    for (Aggregate& each : statement.aggregates) each.weights = nullptr;
    const QueryPlan without(statement, Loss{false, 1, 0}, Alpha(0.05));
    for (const NoisyComponent& other : without.parts().parts) {
      if (other.column != part.column) continue;
      const Rational unit =
          Rational(other.effect.unit) * power_of_two(other.exponent - part.exponent);
      part.effect.unit = floor(unit);
    }
    return component_sensitivity(part, plan.bound_of(part, plan.statement().source.unit.count));
  };
  EXPECT_GT(NeighbourFuzz(count_with_kernel, unweighted, ask_for_weighted_moments)
                .run(46, 200, 6)
                .violations,
            0);
}

TEST(Moments, are_refused_for_columns_without_bounds_or_levels) {
  const auto refuse = [](ErrorKind kind, const Aggregate& aggregate, auto&& change) {
    Statement statement = statement_of({aggregate});
    change(statement.source.fields);
    expect_error(kind, [&] { plan_of(statement); });
  };
  const auto nothing = [](std::vector<Field>&) {};
  refuse(ErrorKind::unsupported, moment_of("", "", {}), nothing);
  refuse(ErrorKind::domain, moment_of("k", "", {}), nothing);
  refuse(ErrorKind::domain, moment_of("x", "", {"w"}), nothing);
  refuse(ErrorKind::domain, moment_of("x", "", {}), [](auto& fields) { fields[0].reals = {}; });
  refuse(ErrorKind::domain, moment_of("w", "", {}), [](auto& fields) {
    fields[1].wholes = {2, 2};
  });
}

}  // namespace
}  // namespace dp::test::moments_test
