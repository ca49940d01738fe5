// Effects of tables as aggregates of a query: their values, maps and mutants.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/query/estimates.h"
#include "core/query/kernel.h"
#include "core/tables/effects.h"
#include "query/neighbour_fuzz.h"
#include "query/reference_kernel.h"
#include "support/expect_error.h"
#include "support/query_statements.h"
#include "support/tier.h"

namespace dp::test::table_effects_test {
namespace {

using namespace query;  // NOLINT: tests of queries speak their language

using Kind = Aggregate::Kind;

const std::vector<std::string> kLevels{"a", "b", "c"};

Aggregate effect_of(const std::vector<std::string>& columns) {
  Aggregate one;
  one.kind = Kind::effect;
  one.name = "effect";
  for (const std::string& column : columns) {
    one.name += ":" + column;
    one.cells.push_back(column_named(column));
  }
  return one;
}

Field flag_field(const std::string& name) {
  Field field = plain_field(name, FieldType::logical);
  field.wholes = {0, 1};
  return field;
}

Statement statement_of(const std::vector<Aggregate>& aggregates, bool gaps) {
  Statement statement;
  statement.source.fields = {
      levels_field("k", kLevels), whole_field("w", 2, 5), flag_field("u"), flag_field("ok")};
  for (Field& field : statement.source.fields) field.may_be_missing = gaps;
  statement.source.unit.kind = Unit::Kind::rows;
  statement.aggregates = aggregates;
  for (const Aggregate& each : aggregates) {
    statement.outputs.push_back({each.name, column_named(each.name)});
  }
  return statement;
}

QueryPlan plan_of(const Statement& statement) {
  return QueryPlan(statement, Loss{true, 1, 0}, Alpha(0.05));
}

struct Row {
  std::string k;
  std::int64_t w;
  std::optional<bool> u, ok;
};

QueryRows rows_of(const std::vector<Row>& table) {
  std::vector<std::optional<std::string>> k;
  std::vector<std::int64_t> w;
  std::vector<std::int32_t> u;
  std::vector<std::int32_t> ok;
  for (const Row& row : table) {
    k.emplace_back(row.k);
    w.push_back(row.w);
    u.push_back(row.u ? *row.u : kNa32);
    ok.push_back(row.ok ? *row.ok : kNa32);
  }
  return QueryRows(table.size(),
                   {text_column("k", k),
                    column_of("w", QueryColumn::Kind::int64, w),
                    column_of("u", QueryColumn::Kind::logical, u),
                    column_of("ok", QueryColumn::Kind::logical, ok)});
}

// The cell of a row in the table of k, w and u; none if a value is missing.
std::optional<std::size_t> cell_of(const Row& row, bool with_ok) {
  const auto level = std::find(kLevels.begin(), kLevels.end(), row.k);
  const bool there = level != kLevels.end() && row.w != kNa64 && row.u && (!with_ok || row.ok);
  if (!there) return {};
  const std::int64_t w = std::min<std::int64_t>(std::max<std::int64_t>(row.w, 2), 5) - 2;
  const auto k = static_cast<std::size_t>(level - kLevels.begin());
  return (k * 4 + static_cast<std::size_t>(w)) * 2 + (*row.u ? 1 : 0);
}

TEST(TableEffects, equal_the_effects_of_the_largest_table) {
  const std::vector<std::vector<std::string>> sets{
      {}, {"k"}, {"w"}, {"k", "u"}, {"k", "w"}, {"k", "w", "u"}};
  const std::vector<std::vector<bool>> kept{{false, false, false},
                                            {true, false, false},
                                            {false, true, false},
                                            {true, false, true},
                                            {true, true, false},
                                            {true, true, true}};
  for (const bool with_ok : {false, true}) {
    std::vector<Aggregate> aggregates;
    for (const auto& set : sets) aggregates.push_back(effect_of(set));
    if (with_ok) aggregates.push_back(effect_of({"ok"}));
    const QueryPlan plan = plan_of(statement_of(aggregates, true));
    EXPECT_EQ(plan.parts().tallies.size(), with_ok ? 2u : 1u);
    TestRandom random(3);
    for (int i = 0; i < 100; ++i) {
      std::vector<Row> table(random.below(30));
      std::vector<int128_t> counts(24, 0);
      for (Row& row : table) {
        row.k = random.pick<std::string>({"a", "b", "c", "other"});
        row.w = random.pick<std::int64_t>({kNa64, -3, 2, 3, 4, 5, 11});
        row.u = random.pick<std::optional<bool>>({true, false, {}});
        row.ok = random.pick<std::optional<bool>>({true, false, {}});
        if (const auto cell = cell_of(row, with_ok)) ++counts[*cell];
      }
      const ExactAggregates tallied =
          tally(plan.statement(), plan.parts().tallies, rows_of(table), Salt{});
      for (std::size_t a = 0; a < sets.size(); ++a) {
        std::vector<Integer> wanted;
        for (const int128_t z : tables::scaled_effect(tables::margin(counts, {3, 4, 2}, kept[a]),
                                                      tables::kept_shape({3, 4, 2}, kept[a]))) {
          wanted.push_back(to_integer(z));
        }
        const NoisyComponent& part = plan.parts().parts[plan.parts().aggregates[a].main.front()];
        const std::size_t group = tallied.keys.empty() ? kNoGroup : 0;
        ASSERT_EQ(exact_numbers(plan.parts(), part, tallied, {group}), wanted)
            << aggregates[a].name;
      }
    }
  }
}

TEST(TableEffects, have_the_noise_of_their_norms) {
  const QueryPlan plan = plan_of(statement_of({effect_of({}), effect_of({"k", "u"})}, false));
  // Equal shares of rho = 1: scale^2 = L2^2 / (2 rho), with L2^2 = 3 2 2 1.
  EXPECT_NEAR(plan.laws()[0]->scale(), std::sqrt(1 / 1.0), 1e-9);
  EXPECT_NEAR(plan.laws()[1]->scale(), std::sqrt(12.0), 1e-9);
}

TEST(TableEffects, of_no_column_are_free_if_rows_are_replaced_and_none_can_be_left_out) {
  for (const bool gaps : {false, true}) {
    Statement statement = statement_of({effect_of({}), effect_of({"k", "u"})}, gaps);
    statement.source.unit.kind = Unit::Kind::changes;
    const QueryPlan plan = plan_of(statement);
    EXPECT_EQ(plan.laws()[0].has_value(), gaps);
    // All of rho = 1, or half of it: L2^2 = 2 * 12 * 2 / (2 - 1).
    EXPECT_NEAR(plan.laws()[1]->scale(), std::sqrt(48 / (gaps ? 1.0 : 2.0)), 1e-9);
  }
}

// Random neighbours.

bool ask_for_effects(Statement& statement) {
  statement.aggregates = {effect_of({}), effect_of({"k"}), effect_of({"k", "f"}), effect_of({"f"})};
  output_all(statement);
  return true;
}

TEST(TableEffects, D_QRY_1_T_NBR_move_no_query_further_than_its_map_says) {
  const FuzzVerdict found =
      NeighbourFuzz(count_with_kernel, claim_of_map, ask_for_effects).run(51, in_tier(60, 1000), 4);
  EXPECT_EQ(found.violations, 0) << found.first;
  EXPECT_EQ(found.reached.count(Kind::effect), 1u);
}

TEST(TableEffects, T_MUT_norms_of_an_effect_that_are_too_small_are_noticed) {
  const QueryClaim less = [](const QueryPlan& plan, NoisyComponent part) {
    if (part.l2_squared_of_row > 1) part.l2_squared_of_row -= 1;
    return component_sensitivity(part, plan.bound_of(part, plan.statement().source.unit.count));
  };
  EXPECT_GT(NeighbourFuzz(count_with_kernel, less, ask_for_effects).run(52, 1000, 6).violations, 0);
}

TEST(TableEffects, are_refused_for_columns_without_cells) {
  const auto refuse = [](ErrorKind kind, auto&& change) {
    Statement statement = statement_of({effect_of({"k", "w"})}, false);
    change(statement.source.fields);
    expect_error(kind, [&] { plan_of(statement); });
  };
  refuse(ErrorKind::domain, [](auto& fields) { fields[1].wholes = {}; });
  refuse(ErrorKind::domain, [](auto& fields) { fields[1].type = FieldType::real; });
  refuse(ErrorKind::unsupported, [](auto& fields) { fields[1].wholes = {3, 3}; });
  refuse(ErrorKind::unsupported, [](auto& fields) { fields[1].wholes = {0, 1 << 30}; });
}

}  // namespace
}  // namespace dp::test::table_effects_test
