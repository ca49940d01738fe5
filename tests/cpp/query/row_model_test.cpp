// Models that read rows: the rows that they get, and their loss.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/expressions/row_batch.h"
#include "core/query/kernel.h"
#include "core/query/measure.h"
#include "core/query/query_plan.h"
#include "core/query/shards.h"
#include "query/neighbour_fuzz.h"
#include "query/reference_kernel.h"
#include "support/doubles.h"
#include "support/expect_error.h"

namespace dp::test::row_model_test {
namespace {

using namespace query;  // NOLINT: tests of queries speak their language

using Kind = Aggregate::Kind;

struct Row {
  std::int64_t person;
  std::int64_t y;
  double x;
};

Statement statement_of(Unit::Kind unit) {
  Statement statement;
  statement.source.fields = {whole_field("y", 0, 1), real_field("x", -2, 5)};
  for (Field& field : statement.source.fields) field.may_be_missing = true;
  statement.source.unit.kind = unit;
  if (unit == Unit::Kind::id) {
    statement.source.unit.id = {"person"};
    Truncate one;
    one.rows = 1;
    statement.steps.emplace_back(one);
  }
  Aggregate model;
  model.name = "m";
  model.kind = Kind::logit;
  model.of = column_named("y");
  model.predictors = {column_named("x")};
  statement.aggregates = {model};
  statement.outputs = {{"m", column_named("m")}};
  return statement;
}

QueryRows rows_of(const std::vector<Row>& table) {
  std::vector<std::int64_t> person;
  std::vector<std::int64_t> y;
  std::vector<double> x;
  for (const Row& row : table) {
    person.push_back(row.person);
    y.push_back(row.y);
    x.push_back(row.x);
  }
  return QueryRows(table.size(),
                   {column_of("person", QueryColumn::Kind::int64, person),
                    column_of("y", QueryColumn::Kind::int64, y),
                    column_of("x", QueryColumn::Kind::real, x)});
}

using Points = std::vector<std::vector<int128_t>>;

// The rows that the model reads, in order.
Points points_of(const QueryPlan& plan, const std::vector<Row>& table, const Pieces& pieces) {
  const ExactAggregates tallied =
      tally_in_pieces(plan.statement(), plan.parts().tallies, rows_of(table), Salt{}, pieces);
  const auto& places = plan.parts().parts.front().model->tallies;
  Points points(tallied.values[places.front()].size());
  for (const std::size_t place : places) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      points[i].push_back(tallied.values[place].at(i));
    }
  }
  std::sort(points.begin(), points.end());
  return points;
}

std::vector<Row> random_table(TestRandom& random) {
  std::vector<Row> table(random.below(200));
  for (Row& row : table) {
    row.person = static_cast<std::int64_t>(random.below(30));
    row.y = random.pick<std::int64_t>({kNa64, -1, 0, 1, 7});
    row.x = random.pick<double>({kNaN, kInf, -9, -2, 0.1, 3, 5, 8});
  }
  return table;
}

QueryPlan plan_of(const Statement& statement, double epsilon = 1, bool concentrated = false) {
  return QueryPlan(statement, Loss{concentrated, epsilon, 0}, Alpha(0.05));
}

TEST(RowModel, gets_each_row_once_in_any_pieces) {
  const QueryPlan plan = plan_of(statement_of(Unit::Kind::rows));
  const auto& tallies = plan.parts().tallies;
  const auto& places = plan.parts().parts.front().model->tallies;
  const auto expected_of = [&](const Row& row) {
    const Cell y =
        lattice_point(tallies[places[0]].quantiser,
                      row.y == kNa64 ? Cell() : Cell(std::clamp<std::int64_t>(row.y, 0, 1)));
    const Cell x =
        lattice_point(tallies[places[1]].quantiser, std::isnan(row.x) ? Cell() : Cell(row.x));
    const auto whole = [](const Cell& cell) {
      return is_missing(cell) ? int128_t{kNone} : int128_t{std::get<std::int64_t>(cell)};
    };
    return std::vector<int128_t>{whole(y), whole(x)};
  };
  TestRandom random(1);
  for (int i = 0; i < 100; ++i) {
    const std::vector<Row> table = random_table(random);
    Points expected;
    for (const Row& row : table) expected.push_back(expected_of(row));
    std::sort(expected.begin(), expected.end());
    Pieces small;
    small.batch = 1 + random.below(20);
    small.task = 1 + random.below(40);
    ASSERT_EQ(points_of(plan, table, Pieces{}), expected);
    ASSERT_EQ(points_of(plan, table, small), expected);
  }
}

// Counts how many rows of `a` are not in `b`.
std::size_t without(const Points& a, const Points& b) {
  Points rest;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(rest));
  return rest.size();
}

TEST(RowModel, D_QRY_1_a_person_with_all_rows_adds_at_most_one_row) {
  const QueryPlan plan = plan_of(statement_of(Unit::Kind::id));
  TestRandom random(2);
  std::size_t most = 0;
  for (int i = 0; i < 200; ++i) {
    std::vector<Row> table = random_table(random);
    const Points with = points_of(plan, table, Pieces{});
    const std::int64_t gone = static_cast<std::int64_t>(random.below(30));
    table.erase(std::remove_if(
                    table.begin(), table.end(), [&](const Row& row) { return row.person == gone; }),
                table.end());
    const Points rest = points_of(plan, table, Pieces{});
    ASSERT_EQ(without(rest, with), 0u);
    most = std::max(most, without(with, rest));
  }
  EXPECT_EQ(most, 1u);
}

double loss_at(const QueryPlan& plan, std::uint32_t d_in) {
  return number_in<double>(plan.loss_at(d_in));
}

TEST(RowModel, D_EPS_1_k_rows_lose_k_times_the_epsilon_of_one) {
  const QueryPlan pure = plan_of(statement_of(Unit::Kind::rows), 0.5);
  const double one = epsilon_of_model(*pure.laws().front());
  EXPECT_NEAR(one, 0.5, 1e-9);
  EXPECT_LE(one, 0.5);
  for (const std::uint32_t k : {1u, 2u, 7u}) EXPECT_NEAR(loss_at(pure, k), k * 0.5, 1e-9);
  EXPECT_LE(loss_at(pure, 1), 0.5);

  const QueryPlan concentrated = plan_of(statement_of(Unit::Kind::rows), 0.08, true);
  const double epsilon = epsilon_of_model(*concentrated.laws().front());
  EXPECT_NEAR(epsilon, 0.4, 1e-6);
  for (const std::uint32_t k : {1u, 2u, 7u}) {
    EXPECT_NEAR(loss_at(concentrated, k), k * epsilon * k * epsilon / 2, 1e-6);
  }
  EXPECT_LE(loss_at(concentrated, 1), 0.08);
  EXPECT_LE(epsilon * epsilon / 2, loss_at(concentrated, 1));

  Statement several = statement_of(Unit::Kind::rows);
  several.source.unit.count = 4;
  EXPECT_NEAR(epsilon_of_model(*plan_of(several, 0.5).laws().front()), 0.125, 1e-9);
  const QueryPlan replaced = plan_of(statement_of(Unit::Kind::changes), 0.5);
  EXPECT_NEAR(epsilon_of_model(*replaced.laws().front()), 0.25, 1e-9);
}

TEST(RowModel, is_refused_in_groups_for_columns_without_bounds_and_in_shards) {
  const auto refuse = [](ErrorKind kind, auto&& change) {
    Statement statement = statement_of(Unit::Kind::rows);
    change(statement);
    expect_error(kind, [&] { plan_of(statement); });
  };
  refuse(ErrorKind::unsupported, [](Statement& it) { it.by = {"y"}; });
  refuse(ErrorKind::unsupported, [](Statement& it) { it.aggregates[0].predictors.clear(); });
  refuse(ErrorKind::unsupported, [](Statement& it) { it.aggregates[0].of = nullptr; });
  refuse(ErrorKind::domain, [](Statement& it) { it.source.fields[1].reals = {}; });
  refuse(ErrorKind::domain, [](Statement& it) { it.source.fields[1].reals = {{1, 1}}; });
  const QueryPlan plan = plan_of(statement_of(Unit::Kind::rows));
  expect_error(ErrorKind::unsupported, [&] { added(plan.parts().tallies, {}); });
}

}  // namespace
}  // namespace dp::test::row_model_test
