// Same query releases from the same bits on every platform: all aggregates, all key rules, steps on
// rows and on people, both kinds of noise.
#include <gtest/gtest.h>

#include "core/query/query_plan.h"
#include "core/query/release.h"
#include "query/random_tables.h"
#include "support/golden.h"

namespace dp::test::queries_golden_test {
namespace {

using namespace random_tables;

Aggregate golden_aggregate(Aggregate::Kind kind, const std::string& name, const char* column) {
  Aggregate result;
  result.name = name;
  result.kind = kind;
  if (column != nullptr) result.of = column_named(column);
  return result;
}

std::vector<Aggregate> golden_aggregates() {
  using Kind = Aggregate::Kind;
  std::vector<Aggregate> all{golden_aggregate(Kind::count, "count", nullptr),
                             golden_aggregate(Kind::ids, "ids", nullptr),
                             golden_aggregate(Kind::missing, "missing", "x"),
                             golden_aggregate(Kind::distinct, "distinct", "n"),
                             golden_aggregate(Kind::sum, "sum", "x"),
                             golden_aggregate(Kind::mean, "mean", "n"),
                             golden_aggregate(Kind::variance, "variance", "x"),
                             golden_aggregate(Kind::deviation, "deviation", "n"),
                             golden_aggregate(Kind::quantiles, "scores", "x"),
                             golden_aggregate(Kind::quantiles, "tree", "x"),
                             golden_aggregate(Kind::histogram, "histogram", "n")};
  all[8].probabilities = {0.25, 0.5};
  all[9].probabilities = {0.1, 0.5, 0.9};
  all[9].method = Aggregate::Method::tree;
  all[8].grid = all[9].grid = {-2, -1, 0, 1.5, 5};
  all[10].grid = {-3, 0, 2, 4};
  return all;
}

Statement golden_query(const std::vector<Step>& steps,
                       const std::vector<std::string>& by,
                       Keys::Kind keys) {
  Statement statement;
  statement.source.fields = declared_fields();
  statement.source.unit = {Unit::Kind::id, {"i"}, 1};
  statement.steps = steps;
  statement.by = by;
  statement.keys.kind = keys;
  statement.aggregates = golden_aggregates();
  for (const Aggregate& each : statement.aggregates) {
    statement.outputs.push_back({each.name, column_named(each.name)});
  }
  return statement;
}

QueryRows golden_rows(std::size_t people) {
  Tables tables(71);
  PlainTable table;
  for (int i = 0; i < 3000; ++i) table.rows.push_back(tables.row(people));
  return kept(table, true);
}

// The release, the number of bits that it used, and its loss.
std::string golden_release(const Statement& statement, const Loss& loss) {
  const QueryRows rows = golden_rows(400);
  const QueryPlan plan(statement, loss, Alpha(0.05));
  return golden_all_ways([&](Golden& found) {
    ScriptedBits bits(22);
    const ExactAggregates tallied =
        tally(plan.statement(), plan.parts().tallies, rows, salt_of(5, Salt::Hash::siphash));
    found.add(release_of(plan, tallied, bits));
    found.add(bits.word());
    for (const std::uint32_t d_in : {0U, 1U, 3U}) found.add(plan.loss_at(d_in));
  });
}

Truncate golden_caps(const std::string& by) {
  Truncate caps;
  caps.by = {by};
  caps.groups = 2;
  caps.rows_per_group = 3;
  return caps;
}

const Loss kGoldenEpsilon{false, 2, 1e-6};
const Loss kGoldenRho{true, 0.5, 1e-6};

TEST(GoldenQueries, DeclaredKeysAndPublicTables) {
  Statement statement = golden_query({golden_caps("k")}, {"k"}, Keys::Kind::declared);
  EXPECT_EQ(golden_release(statement, kGoldenEpsilon), "a8159aa80767f0b8");
  EXPECT_EQ(golden_release(statement, kGoldenRho), "83f5b7ad5d65cce6");
  statement.keys.kind = Keys::Kind::table;
  statement.keys.table.fields = {plain_field("k", FieldType::text)};
  statement.keys.table.columns = {{{std::string("b"), false}, {std::string("A"), false}}};
  EXPECT_EQ(golden_release(statement, kGoldenEpsilon), "1ab0ba3485d8b450");
  EXPECT_EQ(golden_release(statement, kGoldenRho), "7f0ae53862aa5104");
}

TEST(GoldenQueries, ThresholdsAndSelections) {
  for (const bool concentrated : {false, true}) {
    const Loss& loss = concentrated ? kGoldenRho : kGoldenEpsilon;
    EXPECT_EQ(golden_release(golden_query({golden_caps("t")}, {"t"}, Keys::Kind::threshold), loss),
              concentrated ? "e3888c74eecfb88c" : "453e3c87872e5ca3");
    EXPECT_EQ(golden_release(golden_query({golden_caps("t")}, {"t"}, Keys::Kind::select), loss),
              concentrated ? "25516432079458a8" : "b258746db59cf4d4");
  }
}

TEST(GoldenQueries, StepsOnRowsAndOnPeople) {
  PublicTable prices;
  prices.fields = {plain_field("key", FieldType::text), plain_field("price", FieldType::integer)};
  for (const auto& [key, price] : {std::pair{"A", 1}, std::pair{"A", 3}, std::pair{"b", 2}}) {
    if (prices.columns.empty()) prices.columns.resize(2);
    prices.columns[0].push_back({std::string(key), false});
    prices.columns[1].push_back({std::int64_t{price}, false});
  }
  const std::vector<Step> steps = {
      Filter{call("!", {call("is.na", {column_named("m")})})},
      Mutate{"n",
             call("pmin", {call("+", {column_named("n"), column_named("m")}), written_whole(4)})},
      JoinPublic{JoinPublic::How::left, {{"k", "key"}}, prices},
      PerUnit{{"k"},
              {{"x", PerUnitValue::Kind::sum, column_named("x")},
               {"n", PerUnitValue::Kind::most, column_named("n")}}},
      golden_caps("k")};
  Statement statement = golden_query(steps, {"k"}, Keys::Kind::declared);
  for (Aggregate& each : statement.aggregates) {
    if (each.of != nullptr) each.bounds = std::pair(-3.0, 4.0);
    each.grid = each.kind == Aggregate::Kind::quantiles ? std::vector<double>{-2, 0, 3} : each.grid;
  }
  EXPECT_EQ(golden_release(statement, kGoldenEpsilon), "e167a5d235480900");
  EXPECT_EQ(golden_release(statement, kGoldenRho), "c77bf2f674ba58a6");
}

TEST(GoldenQueries, RowsThatComeAndGoOrAreReplaced) {
  for (const Unit::Kind kind : {Unit::Kind::rows, Unit::Kind::changes}) {
    Statement statement = golden_query({}, {"m"}, Keys::Kind::declared);
    statement.source.unit = {kind, {}, 2};
    statement.aggregates.erase(statement.aggregates.begin() + 1);
    statement.outputs.erase(statement.outputs.begin() + 1);
    EXPECT_EQ(golden_release(statement, kGoldenEpsilon),
              kind == Unit::Kind::rows ? "ead637855f32f118" : "02c62baf2571d038");
  }
}

}  // namespace
}  // namespace dp::test::queries_golden_test
