// Coverage and width of the intervals of queries, in groups of 0, 1, 5, 50 and 5000 rows, without
// weights and with them.
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

constexpr int kSizes[] = {0, 1, 5, 50, 5000};
constexpr double kRange = 8;  // costs are from -2 to 6

// Weights of the rows. `most` is 0 if each row counts once.
struct Weights {
  const char* name;
  double least, most;
};

constexpr Weights kUnweighted = {"no weights", 0, 0};
constexpr Weights kFromZero = {"weights from 0 to 3", 0, 3};
constexpr Weights kNarrow = {"weights from 2 to 3", 2, 3};

ExpressionPtr call(const std::string& op, const std::string& a, ExpressionPtr b) {
  return std::make_shared<Expression>(Call{op, {column_of_query(a), std::move(b)}});
}

ExpressionPtr number(double value) { return std::make_shared<Expression>(Literal{value, false}); }

Statement statement_of_all(const Weights& weights) {
  Statement statement = test::statement_by_ward({}, {}, std::size(kSizes));
  statement.source.unit = {Unit::Kind::rows, {}, 1};
  statement.aggregates = {aggregate(Kind::count, "n"),
                          aggregate(Kind::sum, "sum"),
                          aggregate(Kind::mean, "mean"),
                          aggregate(Kind::quantiles, "quartiles")};
  statement.aggregates[3].probabilities = {0.25, 0.5, 0.75};
  statement.aggregates[3].method = Aggregate::Method::tree;
  for (int i = 0; i <= 128; ++i) statement.aggregates[3].grid.push_back(-2 + i * kRange / 128);
  if (weights.most > 0) {
    statement.source.fields.push_back(
        test::real_field("weight", weights.least, weights.most, Missing()));
    for (Aggregate& each : statement.aggregates) each.weights = column_of_query("weight");
  } else {
    statement.aggregates.push_back(aggregate(Kind::variance, "variance"));
  }
  test::output_all(statement);
  statement.outputs.push_back({"ratio", call("/", "sum", column_of_query("n"))});
  statement.outputs.push_back({"difference", call("-", "sum", column_of_query("n"))});
  statement.outputs.push_back({"shifted", call("-", "mean", number(50))});
  statement.outputs.push_back({"box", call("*", "mean", column_of_query("n"))});
  return statement;
}

struct Patient {
  double cost, weight;
};

// Skewed costs in increasing order. Expensive patients weigh more, but every third weighs as little
// as a cheap one.
std::vector<Patient> patients_of(int rows, const Weights& weights) {
  std::vector<Patient> patients;
  for (int row = 0; row < rows; ++row) {
    const double at = (row + 0.5) / rows;
    const double share = row % 3 == 2 ? 0.2 : 0.3 + 0.6 * at;
    patients.push_back(
        {-2 + kRange * at * at * 0.9,
         weights.most > 0 ? weights.least + share * (weights.most - weights.least) : 1});
  }
  return patients;
}

// Statistics of a group by their definitions, without grid, lattice or tree.
std::map<std::string, double> truth_of(const std::vector<Patient>& patients) {
  double all = 0;
  double sum = 0;
  double squares = 0;
  for (const auto& [cost, weight] : patients) {
    all += weight;
    sum += weight * cost;
    squares += weight * cost * cost;
  }
  const double mean = sum / all;
  std::map<std::string, double> truth = {{"n", all},
                                         {"sum", sum},
                                         {"mean", mean},
                                         {"variance", squares / all - mean * mean},
                                         {"ratio", mean},
                                         {"difference", sum - all},
                                         {"shifted", mean - 50},
                                         {"box", sum}};
  constexpr double kProbabilities[] = {0.25, 0.5, 0.75};
  for (std::size_t i = 0; i < std::size(kProbabilities); ++i) {
    double below = 0;
    double quantile = std::nan("");
    for (const auto& [cost, weight] : patients) {
      below += weight;
      quantile = cost;
      if (below >= kProbabilities[i] * all - 1e-9) break;
    }
    truth["quartiles[" + std::to_string(i) + "]"] = quantile;
  }
  return truth;
}

// One column of integers per tally, with groups in order.
ExactAggregates tallied_costs(const QueryPlan& plan, const Weights& weights) {
  test::QueryTable table;
  for (std::size_t ward = 0; ward < std::size(kSizes); ++ward) {
    int person = 0;
    for (const auto& [cost, weight] : patients_of(kSizes[ward], weights)) {
      test::QueryRow row{person++, {}};
      row.cells["ward"] = static_cast<int>(ward);
      row.cells["cost"] = cost;
      row.cells["weight"] = weight;
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

// NoisyComponent `which` of a release, output `at`. Several numbers of one group are returned
// separately.
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

// Maps "quartiles[1]" and other names to numbers.
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

// Results of many releases for one number of one group. A release without an interval claims
// nothing, so its width is the declared range. The interval of a ratio is seldom much longer, but
// can be so long that no number of releases has a stable mean: it counts as the range, too.
struct Shown {
  int covered = 0, without = 0, unmarked = 0;
  double width = 0;
  std::vector<double> errors;

  double best_width() {
    std::sort(errors.begin(), errors.end());
    return 2 * errors[errors.size() * 95 / 100];
  }
};

// Statistics without a true value in a group of 0 rows. Their noise must show this.
bool needs_rows(const std::string& name) {
  return name != "n" && name != "sum" && name != "difference";
}

using AllShown = std::map<std::string, std::vector<Shown>>;

// Uses seeds from `first` on.
AllShown shown_by(
    const Weights& weights, bool concentrated, int first, int releases, double stretch = 1) {
  const Statement statement = statement_of_all(weights);
  std::vector<std::map<std::string, double>> truth;
  for (const int rows : kSizes) truth.push_back(truth_of(patients_of(rows, weights)));
  const QueryPlan plan(statement, {concentrated, concentrated ? 0.5 : 2.5, 0}, Alpha(0.05));
  const ExactAggregates tallied = tallied_costs(plan, weights);
  AllShown shown;
  for (int seed = first; seed < first + releases; ++seed) {
    ReplayedBits bits(static_cast<std::uint64_t>(seed));
    for (const auto& [name, found] : numbers_of(release_of(plan, tallied, bits), statement)) {
      std::vector<Shown>& groups = shown[name];
      groups.resize(std::size(kSizes));
      for (std::size_t group = 0; group < groups.size(); ++group) {
        const double right = truth[group].at(name);
        Shown& each = groups[group];
        each.errors.push_back(std::fabs(found.values[group] - right));
        if (std::isnan(found.lower[group])) {
          ++each.covered;
          ++each.without;
          each.unmarked += found.marks[group] == 0;
          each.width += kRange;
          continue;
        }
        const double middle = (found.lower[group] + found.upper[group]) / 2;
        const double half = (found.upper[group] - found.lower[group]) / 2 * stretch + 1e-6;
        each.covered += std::fabs(right - middle) <= half;
        each.width += needs_rows(name) ? std::min(2 * half, kRange) : 2 * half;
      }
    }
  }
  return shown;
}

// Intervals whose noise is known exactly. Other intervals cover more often.
bool is_sharp(const std::string& name) { return name != "variance" && name != "box"; }

// Counts do not determine where in a grid cell a quantile lies. This width at both ends is not
// noise.
double width_of_cells(const std::string& name) {
  return name.rfind("quartiles", 0) == 0 ? 2 * kRange / 128 : 0;
}

// Demands on a cell: the least share of intervals that cover, and the largest width relative to an
// interval from the exact law of the errors.
struct Demand {
  int releases;
  double least, widest;
};

// A faulty cell is checked again with new releases. If intervals cover with probability 0.95, the
// first demand fails with probability below 3e-5 (long tier: 2e-11). The second fails with
// probability below 5e-9 (2e-11). All cells together fail with probability below 1e-10.
constexpr Demand kFirst = test::in_tier(Demand{200, 0.88, 1.45}, Demand{10000, 0.935, 1.25});
constexpr Demand kAgain = test::in_tier(Demand{2000, 0.92, 1.3}, Demand{10000, 0.935, 1.25});

// Empty if there is no fault.
std::string fault_of(Shown& shown, const std::string& name, int rows, const Demand& demand) {
  const double releases = demand.releases;
  if (shown.unmarked > 0) return "lacks interval and mark";
  if (rows == 0 && needs_rows(name)) {
    return shown.without >= demand.least * releases ? "" : "has intervals";
  }
  if (rows == kSizes[std::size(kSizes) - 1] && shown.without > 0) return "lacks intervals";
  const double covered = shown.covered / releases;
  if (covered < demand.least) return "covers " + std::to_string(covered);
  const double width = shown.width / releases - width_of_cells(name);
  const double ratio = width / shown.best_width();
  if (is_sharp(name) && ratio > demand.widest) return "is wide: " + std::to_string(ratio);
  return "";
}

std::map<std::string, std::string> faults_in(AllShown shown, const Demand& demand) {
  std::map<std::string, std::string> faults;
  for (auto& [name, groups] : shown) {
    for (std::size_t group = 0; group < groups.size(); ++group) {
      const int rows = kSizes[group];
      const std::string fault = fault_of(groups[group], name, rows, demand);
      if (!fault.empty()) faults[name + ", " + std::to_string(rows) + " rows"] = fault;
    }
  }
  return faults;
}

void expect_coverage(const Weights& weights) {
  for (const bool concentrated : {false, true}) {
    const auto first = faults_in(shown_by(weights, concentrated, 7, kFirst.releases), kFirst);
    if (first.empty()) continue;
    const auto again = faults_in(shown_by(weights, concentrated, 1000000, kAgain.releases), kAgain);
    for (const auto& [cell, fault] : again) {
      if (first.count(cell) > 0) ADD_FAILURE() << weights.name << ", " << cell << ": " << fault;
    }
  }
}

TEST(IntervalCoverage, NumbersOfGroupsOfAllSizesAreCovered) { expect_coverage(kUnweighted); }

TEST(IntervalCoverage, WeightedNumbersOfGroupsOfAllSizesAreCovered) {
  expect_coverage(kFromZero);
  expect_coverage(kNarrow);
}

TEST(IntervalCoverage, RatiosAndQuantilesOfFewRowsHaveNoInterval) {
  for (const Weights& weights : {kUnweighted, kFromZero}) {
    AllShown shown = shown_by(weights, false, 7, 200);
    for (const char* name : {"ratio", "mean", "quartiles[1]"}) {
      EXPECT_GT(shown[name][1].without, 100) << name;
    }
  }
}

TEST(IntervalCoverage, ShorterIntervalsAreFoundOut) {
  for (const Weights& weights : {kUnweighted, kFromZero}) {
    const auto faults = faults_in(shown_by(weights, false, 7, kFirst.releases, 0.6), kFirst);
    // quantile_reach_test.cpp covers quantiles, which have whole cells.
    for (const char* name : {"n", "sum", "mean", "ratio", "difference"}) {
      EXPECT_EQ(faults.count(name + std::string(", 5000 rows")), 1u) << name;
    }
  }
}

TEST(IntervalCoverage, WiderIntervalsAreFoundOut) {
  const auto faults = faults_in(shown_by(kFromZero, false, 7, kFirst.releases, 1.8), kFirst);
  for (const char* name : {"n", "sum", "mean", "ratio", "difference"}) {
    EXPECT_EQ(faults.count(name + std::string(", 5000 rows")), 1u) << name;
  }
}

}  // namespace
}  // namespace dp::query
