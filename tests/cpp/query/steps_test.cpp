#include <gtest/gtest.h>

#include "core/query/kernel.h"
#include "query/query_tables.h"
#include "support/doubles.h"
#include "support/expect_error.h"

namespace dp::test::steps_test {
namespace {

using namespace query;

Statement small_statement() {
  Statement statement;
  statement.source.fields = {plain_field("p", FieldType::text),
                             levels_field("k", {"A", "B"}),
                             whole_field("n", 0, 10),
                             real_field("x", -1, 1)};
  statement.source.unit = {Unit::Kind::id, {"p"}, 1};
  return statement;
}

// Rows of person u (three), person v (two), and without a person.
QueryRows small_rows() {
  return QueryRows(6,
                   {text_column("p", {"u", "u", "u", "v", "v", std::nullopt}),
                    text_column("k", {"A", "A", "B", "B", "C", "A"}),
                    column_of<std::int32_t>("n", QueryColumn::Kind::int32, {1, 2, kNa32, 40, 5, 6}),
                    column_of<double>("x", QueryColumn::Kind::real, {0.5, kNaN, 1, -7, 0.25, 1})});
}

ExactAggregate sum_of(const std::string& column, double lower, double upper) {
  const auto whole = [](double x) { return static_cast<std::int64_t>(x); };
  return {ExactAggregate::Kind::sum,
          column_named(column),
          {0, lower, upper, whole(lower), whole(upper), 0, std::nullopt},
          {}};
}

const ExactAggregate kRows{ExactAggregate::Kind::rows, nullptr, {}, {}};

std::vector<std::int64_t> integers(const ExactAggregates& tallied, std::size_t t) {
  std::vector<std::int64_t> values;
  for (const int128_t value : tallied.values[t]) values.push_back(static_cast<std::int64_t>(value));
  return values;
}
using Integers = std::vector<std::int64_t>;

TEST(QuerySteps, PerUnitAddsUpEachPersonsRows) {
  Statement statement = small_statement();
  PerUnit unit;
  unit.by = {"k"};
  unit.values = {
      {"total", PerUnitValue::Kind::sum, column_named("n")},
      {"rows", PerUnitValue::Kind::rows, nullptr},
      {"least", PerUnitValue::Kind::least, column_named("n")},
      {"any", PerUnitValue::Kind::any, call(">", {column_named("n"), written_whole(1)})}};
  statement.steps = {unit};
  statement.by = {"k"};
  const ExactAggregates found =
      tally(statement,
            {kRows,
             sum_of("total", 0, 100),
             sum_of("rows", 0, 100),
             sum_of("least", 0, 10),
             sum_of("any", 0, 1),
             {ExactAggregate::Kind::missing, column_named("least"), {}, {}}},
            small_rows(),
            Salt{});
  EXPECT_EQ(integers(found, 0), (Integers{1, 2}));   // u in A; u, v in B
  EXPECT_EQ(integers(found, 1), (Integers{3, 10}));  // 40 is clamped
  EXPECT_EQ(integers(found, 2), (Integers{2, 2}));
  EXPECT_EQ(integers(found, 3), (Integers{1, 10}));
  EXPECT_EQ(integers(found, 4), (Integers{1, 1}));
  EXPECT_EQ(integers(found, 5), (Integers{0, 1}));
}

// One row per person and ward, then at most one ward per person: u has A or B, v has B.
TEST(QuerySteps, PeoplesTotalsAreCappedInTheirTurn) {
  Statement statement = small_statement();
  PerUnit unit;
  unit.by = {"k"};
  unit.values = {{"total", PerUnitValue::Kind::sum, column_named("n")}};
  Truncate caps;
  caps.by = {"k"};
  caps.groups = 1;
  statement.steps = {
      unit, Mutate{"total", call("pmin", {column_named("total"), written_whole(9)})}, caps};
  bool some_a = false;
  bool some_b = false;
  for (std::uint8_t seed = 0; seed < 40; ++seed) {
    Salt salt;
    salt.bytes[0] = seed;
    const ExactAggregates found =
        tally(statement, {kRows, sum_of("total", 0, 9)}, small_rows(), salt);
    EXPECT_EQ(integers(found, 0), (Integers{2}));
    const Integers total = integers(found, 1);
    EXPECT_TRUE(total == Integers{12} || total == Integers{9});  // 3 + 9, or 0 + 9
    some_a = some_a || total == Integers{12};
    some_b = some_b || total == Integers{9};
  }
  EXPECT_TRUE(some_a && some_b);
}

// A person's total does not change if a later column reuses its name.
TEST(QuerySteps, TotalsOfPeopleMayBeMadeAnewWithOtherTypesAndBounds) {
  Statement statement = small_statement();
  const PerUnit totals{{}, {{"total", PerUnitValue::Kind::sum, column_named("n")}}};
  const Mutate tens{"total", call("%/%", {column_named("total"), written_whole(10)})};
  const Mutate halves{"total", call("/", {column_named("total"), written_whole(2)})};
  const auto total = [&](const std::vector<Step>& steps) {
    statement.steps = steps;
    const ExactAggregate tally_of{
        ExactAggregate::Kind::sum, column_named("total"), {-1, 0, 1000, 0, 2000, 0, {}}, {}};
    return integers(tally(statement, {tally_of}, small_rows(), Salt{}), 0);
  };
  Truncate one;
  one.rows = 1;
  // 3 and 15, in steps of a half.
  EXPECT_EQ(total({totals, one}), (Integers{36}));
  EXPECT_EQ(total({totals, halves}), (Integers{18}));
  EXPECT_EQ(total({totals, one, halves}), (Integers{18}));
  EXPECT_EQ(total({totals, halves, one}), (Integers{18}));
  EXPECT_EQ(total({totals, tens}), (Integers{2}));
  EXPECT_EQ(total({totals, one, tens}), (Integers{2}));
}

// Columns computed from kept rows may as well be computed earlier. In the order of the original
// values, the same rows stay.
TEST(QuerySteps, ColumnsMadeAfterACapAreThoseMadeBefore) {
  Statement statement = small_statement();
  statement.by = {"k"};
  Truncate caps;
  caps.rows = 1;
  caps.keep = Truncate::Keep::first;
  caps.order = column_named("n");
  const Mutate more{"m", call("+", {column_named("n"), written_whole(1)})};
  const Select renamed{{{"k", "k"}, {"m", "m"}}};
  const auto found = [&](const std::vector<Step>& steps) {
    statement.steps = steps;
    return integers(tally(statement, {kRows, sum_of("m", 0, 20)}, small_rows(), Salt{}), 1);
  };
  const Integers expected{2, 11};  // u keeps n = 1, v keeps 10; 5 has no ward
  EXPECT_EQ(found({Filter{call("!", {call("is.na", {column_named("k")})})}, more, caps}), expected);
  EXPECT_EQ(found({Filter{call("!", {call("is.na", {column_named("k")})})}, caps, more}), expected);
  EXPECT_EQ(found({Filter{call("!", {call("is.na", {column_named("k")})})}, caps, more, renamed}),
            expected);
}

TEST(QuerySteps, RowsFilteredAfterACapDoNotMakeRoomForOthers) {
  Statement statement = small_statement();
  Truncate caps;
  caps.rows = 1;
  caps.keep = Truncate::Keep::last;
  caps.order = column_named("n");
  const Filter small{call("<", {column_named("n"), written_whole(2)})};
  statement.steps = {caps, small};
  EXPECT_TRUE(tally(statement, {kRows}, small_rows(), Salt{}).keys.empty());
  statement.steps = {small, caps};
  EXPECT_EQ(integers(tally(statement, {kRows}, small_rows(), Salt{}), 0), (Integers{1}));
}

TEST(QuerySteps, ColumnsAreMadeRenamedAndJoined) {
  Statement statement = small_statement();
  PublicTable table;
  table.fields = {plain_field("code", FieldType::text), plain_field("price", FieldType::real)};
  const auto text = [](const char* value) { return Literal{std::string(value), false}; };
  table.columns = {
      {text("A"), text("A"), Literal{}, text("C")},
      {Literal{2.0, false}, Literal{3.0, false}, Literal{9.0, false}, Literal{9.0, false}}};
  const auto joined = [&](JoinPublic::How how) {
    statement.steps = {Mutate{"n", call("+", {column_named("n"), written_whole(1)})},
                       Select{{{"ward", "k"}, {"m", "n"}}},
                       JoinPublic{how, {{"ward", "code"}}, table}};
    const bool filters = how == JoinPublic::How::semi || how == JoinPublic::How::anti;
    std::vector<ExactAggregate> tallies{kRows, sum_of("m", 0, 11)};
    if (!filters) tallies.push_back(sum_of("price", 0, 10));
    const ExactAggregates found = tally(statement, tallies, small_rows(), Salt{});
    Integers all;
    for (std::size_t t = 0; t < tallies.size(); ++t) {
      all.push_back(found.keys.empty() ? 0 : integers(found, t)[0]);
    }
    return all;
  };
  EXPECT_EQ(joined(JoinPublic::How::inner), (Integers{4, 10, 10}));
  EXPECT_EQ(joined(JoinPublic::How::left), (Integers{7, 27, 10}));
  EXPECT_EQ(joined(JoinPublic::How::semi), (Integers{2, 5}));
  EXPECT_EQ(joined(JoinPublic::How::anti), (Integers{3, 17}));
}

TEST(QuerySteps, WhatTheDataOrTheStatementLackIsRefusedByName) {
  const auto refused = [](ErrorKind kind, const Statement& statement, const QueryRows& rows) {
    return expect_error(kind, [&] { tally(statement, {sum_of("n", 0, 10)}, rows, Salt{}); });
  };
  Statement statement = small_statement();
  EXPECT_NE(refused(ErrorKind::source, statement, QueryRows(0, {})).find("`p`"), std::string::npos);
  statement.source.unit.kind = Unit::Kind::rows;
  statement.steps = {Truncate{}};
  refused(ErrorKind::unsupported, statement, small_rows());
  statement.steps = {};
  statement.by = {"x"};
  refused(ErrorKind::unsupported, statement, small_rows());
  statement.by = {"z"};
  refused(ErrorKind::domain, statement, small_rows());
}

TEST(QuerySteps, AnEmptyTableHasNoGroups) {
  Statement statement = small_statement();
  statement.by = {"k"};
  const QueryRows rows(0,
                       {text_column("p", {}),
                        text_column("k", {}),
                        column_of<std::int32_t>("n", QueryColumn::Kind::int32, {})});
  const ExactAggregates found = tally(statement, {kRows, sum_of("n", 0, 10)}, rows, Salt{});
  EXPECT_TRUE(found.keys.empty());
  EXPECT_EQ(found.values.size(), 2U);
}

}  // namespace
}  // namespace dp::test::steps_test
