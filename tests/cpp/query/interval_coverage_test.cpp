// Coverage and width of the intervals of queries, in groups of 1, 5, 50 and 5000 rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "core/query/estimates.h"
#include "core/query/release.h"
#include "support/query_statements.h"
#include "support/recorded_bits.h"
#include "support/tier.h"

namespace dp::query {
namespace {

using test::aggregate;
using test::column_of_query;
using Kind = Aggregate::Kind;

constexpr int kSizes[] = {1, 5, 50, 5000};
constexpr double kRange = 8;  // costs are from -2 to 6

ExpressionPtr call(const std::string& op, const std::string& a, ExpressionPtr b) {
  return std::make_shared<Expression>(Call{op, {column_of_query(a), std::move(b)}});
}

ExpressionPtr number(double value) { return std::make_shared<Expression>(Literal{value, false}); }

Statement statement_of_all() {
  Statement statement = test::statement_by_ward({}, {}, std::size(kSizes));
  statement.source.unit = {Unit::Kind::rows, {}, 1};
  statement.aggregates = {aggregate(Kind::count, "n"),
                          aggregate(Kind::sum, "sum"),
                          aggregate(Kind::mean, "mean"),
                          aggregate(Kind::variance, "variance"),
                          aggregate(Kind::quantiles, "quartiles")};
  statement.aggregates[4].probabilities = {0.25, 0.5, 0.75};
  for (int i = 0; i <= 128; ++i) statement.aggregates[4].grid.push_back(-2 + i * kRange / 128);
  test::output_all(statement);
  statement.outputs.push_back({"ratio", call("/", "sum", column_of_query("n"))});
  statement.outputs.push_back({"difference", call("-", "sum", column_of_query("n"))});
  statement.outputs.push_back({"shifted", call("-", "mean", number(50))});
  statement.outputs.push_back({"box", call("*", "mean", column_of_query("n"))});
  return statement;
}

double cost_of(int row, int rows) {
  const double at = (row + 0.5) / rows;
  return -2 + kRange * at * at * 0.9;
}

// The least cost that at least this share of the rows do not exceed, which no grid knows.
double quantile_of_costs(double probability, int rows) {
  return cost_of(std::max(0, static_cast<int>(std::ceil(probability * rows)) - 1), rows);
}

// Skewed costs; a column of integers for each tally, groups one after the other.
Tallied tallied_costs(const QueryPlan& plan) {
  test::QueryTable table;
  for (std::size_t ward = 0; ward < std::size(kSizes); ++ward) {
    for (int i = 0; i < kSizes[ward]; ++i) {
      test::QueryRow row{i, {}};
      row.cells["ward"] = static_cast<int>(ward);
      row.cells["cost"] = cost_of(i, kSizes[ward]);
      table.push_back(row);
    }
  }
  return test::reference_tally(plan.statement(), plan.parts().tallies, table);
}

// One number of a release, in all groups.
struct Numbers {
  std::vector<double> values, lower, upper, marks;
};

std::vector<double> cells_of_column(const Value& value) {
  const Column& rows = **value.as<ColumnPtr>();
  BatchBuffer buffer;
  const Batch batch = rows.read(0, rows.size(), buffer);
  std::vector<double> result(batch.as<double>(), batch.as<double>() + rows.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (batch.valid != nullptr && batch.valid[i] == 0) result[i] = std::nan("");
  }
  return result;
}

// Part `which` of a release, output `at`: several numbers of a group are apart.
std::vector<std::vector<double>> part(const Value& release, std::size_t which, std::size_t at) {
  const Value& column = (*(*release.as<Value::Tuple>())[which].as<Value::Tuple>())[at];
  const auto* groups = column.as<Value::Tuple>();
  if (groups == nullptr) return {cells_of_column(column)};
  std::vector<std::vector<double>> result(3);
  for (const Value& group : *groups) {
    const std::vector<double> cells = cells_of_column(group);
    for (std::size_t i = 0; i < cells.size(); ++i) result[i].push_back(cells[i]);
  }
  return result;
}

// "quartiles[1]" and so on.
std::map<std::string, Numbers> numbers_of(const Value& release, const Statement& statement) {
  std::map<std::string, Numbers> found;
  for (std::size_t at = 0; at < statement.outputs.size(); ++at) {
    const auto values = part(release, 1, at);
    const auto lower = part(release, 3, at);
    const auto upper = part(release, 4, at);
    const auto marks = part(release, 5, at);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string name = statement.outputs[at].name;
      found[values.size() == 1 ? name : name + "[" + std::to_string(i) + "]"] = {
          values[i], lower[i], upper[i], marks[i]};
    }
  }
  return found;
}

// What many releases showed of one number of one group. Without an interval it claims nothing, so
// its width is the declared range.
struct Shown {
  int covered = 0, without = 0;
  double width = 0;
  std::vector<double> errors;

  double best_width() {
    std::sort(errors.begin(), errors.end());
    return 2 * errors[errors.size() * 95 / 100];
  }
};

using AllShown = std::map<std::string, std::vector<Shown>>;

AllShown shown_by(const Loss& loss, int releases, double shrink) {
  const Statement statement = statement_of_all();
  const QueryPlan exact(statement, Loss{loss.concentrated, 1e12, 0}, Alpha(0.05));
  ReplayedBits few(1);
  auto truth = numbers_of(release_of(exact, tallied_costs(exact), few), statement);
  const std::vector<double>& probabilities = statement.aggregates[4].probabilities;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    std::vector<double>& values = truth.at("quartiles[" + std::to_string(i) + "]").values;
    for (std::size_t group = 0; group < values.size(); ++group) {
      values[group] = quantile_of_costs(probabilities[i], kSizes[group]);
    }
  }
  const QueryPlan plan(statement, loss, Alpha(0.05));
  const Tallied tallied = tallied_costs(plan);
  AllShown shown;
  for (int seed = 0; seed < releases; ++seed) {
    ReplayedBits bits(static_cast<std::uint64_t>(seed) + 7);
    for (const auto& [name, found] : numbers_of(release_of(plan, tallied, bits), statement)) {
      std::vector<Shown>& groups = shown[name];
      groups.resize(std::size(kSizes));
      for (std::size_t group = 0; group < groups.size(); ++group) {
        const double right = truth.at(name).values[group];
        Shown& each = groups[group];
        each.errors.push_back(std::fabs(found.values[group] - right));
        if (std::isnan(found.lower[group])) {
          ++each.covered;
          ++each.without;
          each.width += kRange;
          continue;
        }
        const double middle = (found.lower[group] + found.upper[group]) / 2;
        const double half = (found.upper[group] - found.lower[group]) / 2 * shrink + 1e-6;
        each.covered += std::fabs(right - middle) <= half;
        each.width += 2 * half;
      }
    }
  }
  return shown;
}

// Those that all noise is known of; the others cover more often.
bool is_sharp(const std::string& name) { return name != "variance" && name != "box"; }

// Of 200 intervals that cover with probability 0.95, fewer than 88% do with one below 1e-4, and the
// recorded bits are the same each time.
constexpr double kLeast = test::in_tier(0.88, 0.935);
// Times the width of an interval that knows the law of the errors.
constexpr double kWidest = test::in_tier(1.45, 1.25);
// Where in a cell of the grid a quantile lies no count says: this much at both ends is no noise.
double width_of_cells(const std::string& name) {
  return name.rfind("quartiles", 0) == 0 ? 2 * kRange / 128 : 0;
}

TEST(IntervalCoverage, AllNumbersOfGroupsOfAllSizesAreCovered) {
  const int releases = test::in_tier(200, 10000);
  for (const bool concentrated : {false, true}) {
    AllShown shown = shown_by({concentrated, concentrated ? 0.5 : 2.5, 0}, releases, 1);
    for (auto& [name, groups] : shown) {
      for (std::size_t group = 0; group < groups.size(); ++group) {
        Shown& each = groups[group];
        EXPECT_GE(each.covered, kLeast * releases) << name << ", " << kSizes[group] << " rows";
        if (!is_sharp(name)) continue;
        EXPECT_LE(each.width / releases - width_of_cells(name), kWidest * each.best_width())
            << name << ", " << kSizes[group] << " rows";
      }
      EXPECT_EQ(groups.back().without, 0) << name;
    }
    EXPECT_GT(shown["ratio"][0].without, releases / 2);
    EXPECT_GT(shown["quartiles[1]"][0].without, releases / 2);
  }
}

TEST(IntervalCoverage, ShorterIntervalsAreFoundOut) {
  const int releases = test::in_tier(200, 2000);
  AllShown shown = shown_by({false, 2.5, 0}, releases, 0.6);
  // Of quantiles, which have whole cells, see quantile_reach_test.cpp.
  for (const char* name : {"n", "sum", "mean", "ratio", "difference"}) {
    EXPECT_LT(shown[name].back().covered, 0.88 * releases) << name;
  }
}

}  // namespace
}  // namespace dp::query
