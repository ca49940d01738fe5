// Query numbers that need no noise: constants, and numbers that the data holder declared public.
// Any other path to a sensitivity of 0 is rejected or gets noise.
#include <gtest/gtest.h>

#include "core/query/query_plan.h"
#include "query/query_tables.h"
#include "support/expect_error.h"

namespace dp::test::protection_test {
namespace {

using namespace query;  // NOLINT: tests of queries speak their language

using Kind = Aggregate::Kind;

Aggregate aggregate_of(Kind kind) {
  Aggregate one;
  one.name = "a";
  one.kind = kind;
  if (kind != Kind::count && kind != Kind::ids) one.of = column_named("x");
  if (kind == Kind::quantiles) one.probabilities = {0.5};
  if (kind == Kind::quantiles || kind == Kind::histogram) one.grid = {1, 2, 4};
  return one;
}

// Groups by the level `g`. `x` is within [1, 4], and missing only in tests that say so.
Statement statement_of(const Unit& unit, const std::vector<Step>& steps, Kind kind) {
  Statement statement;
  Field x = whole_field("x", 1, 4);
  x.may_be_missing = false;
  statement.source.fields = {levels_field("g", {"a", "b"}), levels_field("h", {"c", "d"}), x};
  statement.source.unit = unit;
  statement.steps = steps;
  statement.by = {"g"};
  statement.aggregates = {aggregate_of(kind)};
  statement.outputs = {{"a", column_named("a")}};
  return statement;
}

const Unit kRow{Unit::Kind::rows, {}, 1};
const Unit kTwoRows{Unit::Kind::rows, {}, 2};
const Unit kChange{Unit::Kind::changes, {}, 1};
const Unit kPerson{Unit::Kind::id, {"who"}, 1};
const Unit kTwoPeople{Unit::Kind::id, {"who"}, 2};
const Unit kPersonInShards{Unit::Kind::id, {"who"}, 1, 3};

Truncate caps(std::optional<std::uint32_t> rows, std::optional<std::uint32_t> groups = {}) {
  Truncate step;
  step.rows = rows;
  step.groups = groups;
  if (groups) step.by = {"g"}, step.rows_per_group = 1;
  return step;
}

Margin lengths_of(const std::vector<std::string>& by) {
  Margin margin;
  margin.by = by;
  margin.lengths_are_public = true;
  return margin;
}

QueryPlan plan_of(const Statement& statement) {
  return QueryPlan(statement, Loss{false, 1, 0}, Alpha(0.05));
}

std::string refusal(const Statement& statement) {
  return expect_error(ErrorKind::unsupported, [&] { plan_of(statement); });
}

// Whether each part has noise.
bool is_noisy(const Statement& statement) {
  const QueryPlan plan = plan_of(statement);
  for (std::size_t i = 0; i < plan.parts().parts.size(); ++i) {
    if (!plan.laws()[i] || !(plan.component_loss(i, statement.source.unit.count) > 0)) return false;
  }
  return true;
}

const std::vector<Kind> kMovedByReplacement = {
    Kind::missing, Kind::distinct, Kind::sum, Kind::mean, Kind::variance, Kind::quantiles};

TEST(Protection, of_public_lengths_is_refused_where_nobody_can_be_replaced) {
  struct Alone {
    Unit unit;
    std::vector<Step> steps;
  };
  const std::vector<Alone> alone = {{kRow, {lengths_of({"g"})}},
                                    {kRow, {lengths_of({"g", "h"})}},
                                    {kPerson, {caps(1), lengths_of({"g"})}},
                                    {kPerson, {caps(6), lengths_of({"g"})}},
                                    {kPerson, {caps({}, 2), lengths_of({"g"})}},
                                    {kPersonInShards, {caps(2), lengths_of({"g"})}}};
  for (const Alone& one : alone) {
    for (const Kind kind : kMovedByReplacement) {
      const std::string said = refusal(statement_of(one.unit, one.steps, kind));
      const bool rows = one.unit.kind == Unit::Kind::rows;
      EXPECT_NE(said.find(rows ? "`dp_unit(changes = 1)`" : "`dp_unit(n = 2)`"), std::string::npos);
    }
  }
  Statement ungrouped = statement_of(kRow, {lengths_of({})}, Kind::sum);
  ungrouped.by.clear();
  refusal(ungrouped);
}

TEST(Protection, of_public_lengths_hides_who_is_replaced) {
  for (const Kind kind : kMovedByReplacement) {
    if (kind == Kind::mean || kind == Kind::variance) continue;  // whose counts are public
    EXPECT_TRUE(is_noisy(statement_of(kTwoRows, {lengths_of({"g"})}, kind)));
    EXPECT_TRUE(is_noisy(statement_of(kChange, {lengths_of({"g"})}, kind)));
    EXPECT_TRUE(is_noisy(statement_of(kTwoPeople, {caps(1), lengths_of({"g"})}, kind)));
    EXPECT_TRUE(is_noisy(statement_of(kTwoPeople, {caps({}, 2), lengths_of({"g"})}, kind)));
  }
}

TEST(Protection, is_not_needed_of_lengths_that_are_public) {
  for (const Unit& unit : {kRow, kTwoRows, kChange}) {
    const Statement statement = statement_of(unit, {lengths_of({"g"})}, Kind::count);
    EXPECT_FALSE(plan_of(statement).laws()[0]);
  }
  const std::vector<Step> steps = {caps(2), lengths_of({"g"})};
  EXPECT_FALSE(plan_of(statement_of(kPerson, steps, Kind::count)).laws()[0]);
  EXPECT_TRUE(is_noisy(statement_of(kPerson, steps, Kind::ids)));
}

// The promise limits neither a histogram cell nor a row whose value may be missing.
TEST(Protection, of_public_lengths_stays_where_rows_come_and_go_within_groups) {
  EXPECT_TRUE(is_noisy(statement_of(kRow, {lengths_of({"g"})}, Kind::histogram)));
  Statement lacking = statement_of(kRow, {lengths_of({"g"})}, Kind::quantiles);
  lacking.source.fields[2].may_be_missing = true;
  EXPECT_TRUE(is_noisy(lacking));
  const Filter some{call(">", {column_named("x"), written_whole(1)})};
  EXPECT_TRUE(is_noisy(statement_of(kRow, {lengths_of({"g"}), some}, Kind::sum)));
}

TEST(Protection, stays_whatever_steps_leave_no_rows) {
  const Filter none{call("<", {column_named("x"), written_whole(0)})};
  JoinPublic nothing{JoinPublic::How::inner, {{"g", "key"}}, {}};
  nothing.table.fields = {plain_field("key", FieldType::text)};
  nothing.table.columns = {{}};
  JoinPublic unknown = nothing;
  unknown.table.columns = {{Literal{}}};
  for (const Step& step : std::vector<Step>{none, nothing, unknown}) {
    EXPECT_TRUE(is_noisy(statement_of(kRow, {step}, Kind::count)));
    EXPECT_TRUE(is_noisy(statement_of(kPerson, {caps(2), step}, Kind::sum)));
  }
  PerUnit one;
  one.by = {"g"};
  one.values = {{"x", PerUnitValue::Kind::most, column_named("x")}};
  EXPECT_TRUE(is_noisy(statement_of(kPerson, {one, caps(2)}, Kind::sum)));
}

TEST(Protection, is_refused_by_caps_and_limits_of_0) {
  for (std::optional<std::uint32_t> Truncate::*const cap :
       {&Truncate::rows, &Truncate::groups, &Truncate::rows_per_group}) {
    Truncate zero = caps(2, 2);
    zero.*cap = 0;
    refusal(statement_of(kPerson, {zero}, Kind::count));
  }
  for (std::optional<std::uint32_t> Margin::*const limit :
       {&Margin::most_groups, &Margin::most_rows}) {
    Margin zero;
    zero.by = {"g"};
    zero.*limit = 0;
    refusal(statement_of(kRow, {zero}, Kind::count));
  }
}

TEST(Protection, is_refused_where_no_group_is_released) {
  Statement statement = statement_of(kRow, {}, Kind::count);
  statement.keys.kind = Keys::Kind::table;
  statement.keys.table.fields = {plain_field("g", FieldType::text)};
  statement.keys.table.columns = {{}};
  expect_error(ErrorKind::keys, [&] { plan_of(statement); });
}

// Values clamped to equal bounds are constant. A sum of zeros is 0 in any table; other sums count
// rows.
TEST(Protection, is_not_needed_of_constants) {
  const auto within = [](double bound, Kind kind, const std::vector<Step>& steps) {
    Statement statement = statement_of(kRow, steps, kind);
    statement.source.fields[2] = whole_field("x", 0, 4);
    statement.source.fields[2].may_be_missing = false;
    statement.aggregates[0].bounds = {bound, bound};
    return statement;
  };
  EXPECT_FALSE(plan_of(within(0, Kind::sum, {})).laws()[0]);
  EXPECT_TRUE(is_noisy(within(3, Kind::sum, {})));
  EXPECT_FALSE(plan_of(within(3, Kind::sum, {lengths_of({"g"})})).laws()[0]);
  EXPECT_TRUE(is_noisy(within(0, Kind::distinct, {})));
  Statement present = within(3, Kind::sum, {});
  present.source.fields[2].may_be_missing = true;  // now it counts who has a value
  EXPECT_TRUE(is_noisy(present));
  present.steps = {lengths_of({"g"})};
  refusal(present);
}

}  // namespace
}  // namespace dp::test::protection_test
