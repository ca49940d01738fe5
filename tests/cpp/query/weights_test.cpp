// Weighted counts, sums, means and quantiles: their values, and how far one row moves them.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/query/kernel.h"
#include "query/neighbour_fuzz.h"
#include "query/reference_kernel.h"
#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/tier.h"

namespace dp::test::weights_test {
namespace {

using namespace query;  // NOLINT: tests of queries speak their language

using Kind = Aggregate::Kind;

struct Row {
  double x;
  std::int64_t w;
  std::string k;
};

constexpr double kLower = -2;
constexpr double kUpper = 5;
constexpr std::int64_t kMostWeight = 4;

Aggregate weighted(Kind kind) {
  Aggregate one;
  one.name = "a" + std::to_string(static_cast<int>(kind));
  one.kind = kind;
  if (kind != Kind::count) one.of = column_named("x");
  one.weights = column_named("w");
  if (kind == Kind::quantiles) {
    one.grid = {-2, 0, 1.25, 4};
    one.probabilities = {0.25};
  }
  return one;
}

Statement statement_of(const std::vector<Aggregate>& aggregates) {
  Statement statement;
  statement.source.fields = {real_field("x", kLower, kUpper),
                             whole_field("w", 0, kMostWeight),
                             levels_field("k", {"a", "b"})};
  for (Field& field : statement.source.fields) field.may_be_missing = true;
  statement.source.unit.kind = Unit::Kind::rows;
  statement.aggregates = aggregates;
  for (const Aggregate& each : aggregates) {
    statement.outputs.push_back({each.name, column_named(each.name)});
  }
  return statement;
}

Statement whole_statement() {
  Statement statement = statement_of({weighted(Kind::count),
                                      weighted(Kind::sum),
                                      weighted(Kind::mean),
                                      weighted(Kind::quantiles)});
  Aggregate tree = weighted(Kind::quantiles);
  tree.name = "tree";
  tree.method = Aggregate::Method::tree;
  statement.aggregates.push_back(tree);
  statement.outputs.push_back({"tree", column_named("tree")});
  return statement;
}

QueryPlan plan_of(const Statement& statement) {
  return QueryPlan(statement, Loss{false, 1, 0}, Alpha(0.05));
}

QueryRows rows_of(const std::vector<Row>& table) {
  std::vector<double> x;
  std::vector<std::int64_t> w;
  std::vector<std::optional<std::string>> k;
  for (const Row& row : table) {
    x.push_back(row.x);
    w.push_back(row.w);
    k.emplace_back(row.k);
  }
  return QueryRows(table.size(),
                   {column_of("x", QueryColumn::Kind::real, x),
                    column_of("w", QueryColumn::Kind::int64, w),
                    text_column("k", k)});
}

Cell cell_of(double x) { return std::isnan(x) ? Cell() : Cell(x); }
Cell cell_of(std::int64_t w) {
  return w == kNa64 ? Cell() : Cell(std::min(std::max(w, std::int64_t{0}), kMostWeight));
}

// Reference that adds up row by row.
std::vector<int128_t> plain(const ExactAggregate& tally, const std::vector<Row>& rows) {
  std::vector<int128_t> out(tally.kind == ExactAggregate::Kind::bins ? 2 * tally.grid.size() + 1
                                                                     : 1);
  for (const Row& row : rows) {
    const Cell weight = lattice_point(tally.weights.points, cell_of(row.w));
    if (is_missing(weight)) continue;
    const std::int64_t w = std::get<std::int64_t>(weight);
    if (tally.kind == ExactAggregate::Kind::rows) {
      out[0] += w;
      continue;
    }
    const Cell point = lattice_point(tally.quantiser, cell_of(row.x));
    if (is_missing(point)) continue;
    const std::int64_t z = std::get<std::int64_t>(point);
    if (tally.kind == ExactAggregate::Kind::present) out[0] += w;
    if (tally.kind == ExactAggregate::Kind::sum) out[0] += int128_t{w} * z;
    if (tally.kind != ExactAggregate::Kind::bins) continue;
    std::size_t bin = 0;
    for (const std::int64_t grid : tally.grid) bin += (z >= grid) + (z > grid);
    out[bin] += w;
  }
  return out;
}

std::vector<Row> random_table(TestRandom& random) {
  std::vector<Row> table(random.below(60));
  for (Row& row : table) {
    row.x = random.pick<double>({kNaN, kInf, -3, -2, 0, 0.1, 1.25, 4.9999, 5, 1e300});
    row.w = random.pick<std::int64_t>({kNa64, -7, 0, 1, 2, 3, 4, 9});
    row.k = random.pick<std::string>({"a", "b", "c"});
  }
  return table;
}

TEST(Weights, are_counted_as_plain_sums_in_any_pieces) {
  Statement statement = whole_statement();
  statement.by = {"k"};
  const QueryPlan plan = plan_of(statement);
  const std::vector<ExactAggregate>& tallies = plan.parts().tallies;
  ASSERT_EQ(tallies.size(), 5u);
  TestRandom random(1);
  for (int i = 0; i < 300; ++i) {
    const std::vector<Row> table = random_table(random);
    const ExactAggregates found = tally(statement, tallies, rows_of(table), Salt{});
    const ExactAggregates in_pieces =
        tally_in_pieces(statement, tallies, rows_of(table), Salt{}, Pieces{5, 10, 50, 3, 64});
    ASSERT_EQ(found.values, in_pieces.values);
    for (std::size_t t = 0; t < tallies.size(); ++t) {
      std::vector<int128_t> expected;
      for (const Key& key : found.keys) {
        std::vector<Row> group;
        for (const Row& row : table) {
          if (row.k == (key[0].whole == 0 ? "a" : "b")) group.push_back(row);
        }
        for (const int128_t each : plain(tallies[t], group)) expected.push_back(each);
      }
      ASSERT_EQ(found.values[t], expected) << "tally " << t;
    }
  }
}

// Joint change of the numbers of all parts, in the steps of each.
std::vector<Change> changes(const QueryPlan& plan,
                            const std::vector<Row>& x,
                            const std::vector<Row>& y) {
  const auto counted = [&](const std::vector<Row>& table) {
    return tally(plan.statement(), plan.parts().tallies, rows_of(table), Salt{});
  };
  const ExactAggregates of_x = counted(x);
  const ExactAggregates of_y = counted(y);
  const auto place = [](const ExactAggregates& tallied) {
    return std::vector<std::size_t>{tallied.keys.empty() ? kNoGroup : 0};
  };
  std::vector<Change> all;
  for (const NoisyComponent& part : plan.parts().parts) {
    all.push_back(change_of(plan.parts(),
                            part,
                            exact_numbers(plan.parts(), part, of_x, place(of_x)),
                            exact_numbers(plan.parts(), part, of_y, place(of_y))));
  }
  return all;
}

std::vector<Row> all_rows() {
  std::vector<Row> rows;
  for (const double x : {kLower, 1.0, kUpper, kNaN}) {
    for (const std::int64_t w : {std::int64_t{0}, std::int64_t{1}, kMostWeight, kNa64}) {
      rows.push_back({x, w, "a"});
    }
  }
  return rows;
}

// All tables of up to two rows.
std::vector<std::vector<Row>> small_tables() {
  std::vector<std::vector<Row>> tables = {{}};
  for (const Row& first : all_rows()) {
    tables.push_back({first});
    for (const Row& second : all_rows()) tables.push_back({first, second});
  }
  return tables;
}

TEST(Weights, D_QRY_1_one_row_moves_a_mean_by_the_bound_times_one_plus_the_half_range) {
  const QueryPlan plan = plan_of(statement_of({weighted(Kind::mean)}));
  ASSERT_EQ(plan.parts().parts.size(), 2u);
  const AggregateComponents& places = plan.parts().aggregates[0];
  const auto exponent = [&](std::size_t part) { return plan.parts().parts[part].exponent; };
  double most = 0;
  double most_squared = 0;
  for (const std::vector<Row>& table : small_tables()) {
    for (const Row& row : all_rows()) {
      std::vector<Row> more = table;
      more.push_back(row);
      const std::vector<Change> moved = changes(plan, table, more);
      for (std::size_t i = 0; i < moved.size(); ++i) {
        ASSERT_LE(moved[i].l1, claim_of_map(plan, plan.parts().parts[i]).l1);
      }
      const auto in_unit = [&](std::size_t part) {
        return std::ldexp(to_double_nearest(Rational(moved[part].l1)), exponent(part));
      };
      const double sum = in_unit(places.main.front());
      const double weight = in_unit(*places.count);
      most = std::max(most, weight + sum);
      most_squared = std::max(most_squared, weight * weight + sum * sum);
    }
  }
  const double half = (kUpper - kLower) / 2;
  const double bound = kMostWeight;
  EXPECT_DOUBLE_EQ(most, bound * (1 + half));
  EXPECT_DOUBLE_EQ(most_squared, bound * bound * (1 + half * half));
  for (const std::size_t part : {places.main.front(), *places.count}) {
    const Sensitivity claim = claim_of_map(plan, plan.parts().parts[part]);
    const double in_unit = std::ldexp(to_double_nearest(Rational(claim.l1)), exponent(part));
    EXPECT_DOUBLE_EQ(in_unit, part == *places.count ? bound : bound * half);
  }
}

TEST(Weights, D_QRY_1_small_tables_move_no_further_than_maps_say) {
  const QueryPlan plan = plan_of(whole_statement());
  std::vector<Integer> furthest(plan.parts().parts.size());
  for (const std::vector<Row>& table : small_tables()) {
    for (const Row& row : all_rows()) {
      std::vector<Row> more = table;
      more.push_back(row);
      const std::vector<Change> moved = changes(plan, table, more);
      for (std::size_t i = 0; i < moved.size(); ++i) {
        furthest[i] = std::max(furthest[i], moved[i].l1);
      }
    }
  }
  for (std::size_t i = 0; i < furthest.size(); ++i) {
    EXPECT_EQ(furthest[i], claim_of_map(plan, plan.parts().parts[i]).l1) << i;
  }
}

TEST(Weights, D_QRY_1_a_replaced_row_moves_no_further_than_maps_say) {
  for (const bool may_be_missing : {true, false}) {
    Statement statement = whole_statement();
    for (Field& field : statement.source.fields) field.may_be_missing = may_be_missing;
    statement.source.unit.kind = Unit::Kind::changes;
    const QueryPlan plan = plan_of(statement);
    std::vector<Integer> furthest(plan.parts().parts.size());
    for (const Row& other : all_rows()) {
      for (const Row& before : all_rows()) {
        for (const Row& after : all_rows()) {
          const bool missing = std::isnan(other.x) || std::isnan(before.x) || std::isnan(after.x) ||
                               other.w == kNa64 || before.w == kNa64 || after.w == kNa64;
          if (missing && !may_be_missing) continue;
          const std::vector<Change> moved = changes(plan, {other, before}, {other, after});
          for (std::size_t i = 0; i < moved.size(); ++i) {
            furthest[i] = std::max(furthest[i], moved[i].l1);
          }
        }
      }
    }
    for (std::size_t i = 0; i < furthest.size(); ++i) {
      EXPECT_LE(furthest[i], claim_of_map(plan, plan.parts().parts[i]).l1) << i;
      EXPECT_GT(furthest[i], 0) << i;
    }
  }
}

// Random neighbours.

bool weigh(Statement& statement) {
  bool any = false;
  for (Aggregate& each : statement.aggregates) {
    const Kind kind = each.kind;
    if (kind != Kind::count && kind != Kind::sum && kind != Kind::mean && kind != Kind::quantiles) {
      continue;
    }
    each.weights = call("abs", {column_named("x")});
    any = true;
  }
  return any;
}

bool is_weighted_part(const QueryPlan& plan, const NoisyComponent& part) {
  return is_weighted(plan.parts().tallies[part.tally]);
}

TEST(Weights, D_QRY_1_T_NBR_move_no_query_further_than_its_map_says) {
  const FuzzVerdict found =
      NeighbourFuzz(count_with_kernel, claim_of_map, weigh).run(31, in_tier(150, 2000), 4);
  EXPECT_EQ(found.violations, 0) << found.first;
  for (const Kind kind : {Kind::count, Kind::sum, Kind::mean, Kind::quantiles}) {
    EXPECT_EQ(found.reached.count(kind), 1u) << Aggregate::kKindNames[static_cast<int>(kind)];
  }
}

TEST(Weights, T_MUT_each_weighted_part_that_is_charged_a_step_less_is_noticed) {
  for (const NoisyComponent::Kind kind :
       {NoisyComponent::Kind::number, NoisyComponent::Kind::tree, NoisyComponent::Kind::scores}) {
    const QueryClaim less = [kind](const QueryPlan& plan, NoisyComponent part) {
      const bool is_it = part.kind == kind && is_weighted_part(plan, part);
      if (is_it && part.effect.unit > 0) part.effect.unit -= 1;
      return component_sensitivity(part, plan.bound_of(part, plan.statement().source.unit.count));
    };
    EXPECT_GT(NeighbourFuzz(count_with_kernel, less, weigh).run(32, 1000, 6).violations, 0)
        << static_cast<int>(kind);
  }
}

TEST(Weights, T_MUT_a_map_that_forgets_the_bound_of_weights_is_noticed) {
  const QueryClaim forgotten = [](const QueryPlan& plan, NoisyComponent part) {
    const ExactAggregate& tally = plan.parts().tallies[part.tally];
    if (is_weighted(tally)) part.effect.unit /= tally.weights.points.most;
    return component_sensitivity(part, plan.bound_of(part, plan.statement().source.unit.count));
  };
  EXPECT_GT(NeighbourFuzz(count_with_kernel, forgotten, weigh).run(33, 200, 6).violations, 0);
}

TEST(Weights, are_refused_without_bounds_and_below_0_and_for_other_aggregates) {
  Statement statement = statement_of({weighted(Kind::mean)});
  const auto refuse = [&](ErrorKind kind) { expect_error(kind, [&] { plan_of(statement); }); };
  statement.source.fields[1].wholes = {-1, 4};
  refuse(ErrorKind::domain);
  statement.source.fields[1].wholes = {0, 0};
  refuse(ErrorKind::domain);
  statement.source.fields[1].wholes.reset();
  refuse(ErrorKind::domain);
  statement.source.fields[1] = levels_field("w", {"1", "2"});
  refuse(ErrorKind::domain);
  statement = statement_of({weighted(Kind::mean)});
  statement.aggregates[0].weights = written_whole(2);
  refuse(ErrorKind::unsupported);
  for (const Kind kind : {Kind::variance, Kind::deviation, Kind::missing, Kind::distinct}) {
    statement = statement_of({weighted(kind)});
    refuse(ErrorKind::unsupported);
  }
}

TEST(Weights, of_one_count_are_measured_once) {
  Statement statement = statement_of({weighted(Kind::count), weighted(Kind::mean)});
  statement.source.fields[0].may_be_missing = false;
  EXPECT_EQ(plan_of(statement).parts().parts.size(), 2u);
  statement.aggregates[0].weights = nullptr;
  EXPECT_EQ(plan_of(statement).parts().parts.size(), 3u);
}

}  // namespace
}  // namespace dp::test::weights_test
