#include "core/query/compile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/measures/loss_law.h"
#include "core/query/release.h"
#include "core/query/unit_reach.h"
#include "support/expect_error.h"
#include "support/query_statements.h"
#include "support/recorded_bits.h"

namespace dp::query {
namespace {

using test::aggregate;
using test::caps;
using test::column_of_query;
using test::QueryRow;
using test::QueryTable;
using test::statement_by_ward;
using Kind = Aggregate::Kind;

const Loss kPure{false, 1, 0};
const Loss kConcentrated{true, 0.05, 0};
const Alpha kAlpha(0.05);

AggregationFunction no_data() {
  return [](const std::vector<ExactAggregate>&, const Value&) -> ExactAggregates { return {}; };
}

std::vector<double> cells(const Value& column_value) {
  const Column& rows = **column_value.as<ColumnPtr>();
  BatchBuffer buffer;
  const Batch batch = rows.read(0, rows.size(), buffer);
  std::vector<double> result(batch.as<double>(), batch.as<double>() + rows.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (batch.valid != nullptr && batch.valid[i] == 0) result[i] = std::nan("");
  }
  return result;
}

std::vector<std::string> texts(const Value& column_value) {
  const Column& rows = **column_value.as<ColumnPtr>();
  BatchBuffer buffer;
  const Batch batch = rows.read(0, rows.size(), buffer);
  std::vector<std::string> result;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    result.emplace_back(batch.as<std::string>()[i]);
  }
  return result;
}

// NoisyComponent `which` of a release, column `at`. Parts: 0 keys, 1 estimates, 2 deviations, 3
// lower, 4 upper, 5 marks.
const Value& part_of_release(const Value& release, std::size_t which, std::size_t at) {
  return (*(*release.as<Value::Tuple>())[which].as<Value::Tuple>())[at];
}

ExactAggregates tallied(const QueryPlan& plan, const QueryTable& table) {
  return test::reference_tally(plan.statement(), plan.parts().tallies, table);
}

Value released(const QueryPlan& plan, const ExactAggregates& table, std::uint64_t seed) {
  ReplayedBits bits(seed);
  return release_of(plan, table, bits);
}

Value released(const QueryPlan& plan, const QueryTable& table, std::uint64_t seed) {
  return released(plan, tallied(plan, table), seed);
}

QueryRow row(int person, int ward, std::optional<double> cost) {
  QueryRow result{person, {}};
  result.cells["ward"] = ward;
  result.cells["cost"] = cost;
  return result;
}

double loss_in(const Distance& loss) { return number_in<double>(loss); }

// The worked example of queries.md, section 5.2.
TEST(Compile, is_the_worked_example) {
  Statement statement = statement_by_ward({}, {caps(2, 3)}, 3);
  statement.source.fields[2].reals = {0, 5000};
  statement.aggregates = {aggregate(Kind::count, "n"),
                          aggregate(Kind::ids, "ids"),
                          aggregate(Kind::mean, "cost"),
                          aggregate(Kind::quantiles, "med")};
  statement.aggregates[2].weight = 2;
  statement.aggregates[3].probabilities = {0.5};
  test::output_all(statement);
  const CompiledQuery compiled = compile(statement, kConcentrated, kAlpha, no_data());
  ASSERT_EQ(compiled.preview.size(), 5u);
  const std::vector<double> scales = {30, 10, 75000, 30, 30};
  const std::vector<std::string> names = {"n", "ids", "cost", "cost", "med"};
  for (std::size_t i = 0; i < 5; ++i) {
    const PreviewRow& each = compiled.preview[i];
    EXPECT_EQ(each.column, names[i]);
    EXPECT_NEAR(each.scale, scales[i], 1e-9 * scales[i]) << names[i];
    EXPECT_NEAR(each.loss, 0.01, 1e-14) << names[i];
    EXPECT_NEAR(each.share, 0.2, 1e-15);
  }
  EXPECT_EQ(compiled.preview[4].mechanism, "exponential mechanism");
  EXPECT_NEAR(compiled.preview[2].sensitivity, 2500 * std::sqrt(18.0), 1e-6);
  EXPECT_LE(compiled.loss.amount, 0.05);
  EXPECT_GT(compiled.loss.amount, 0.05 * (1 - 1e-9));
  EXPECT_EQ(compiled.events[0].bound.rows, 6u);
}

std::vector<Statement> examples() {
  std::vector<Statement> all;
  for (const Keys::Kind keys : {Keys::Kind::declared, Keys::Kind::threshold, Keys::Kind::select}) {
    Statement statement = statement_by_ward({}, {caps(2, 3)});
    statement.aggregates = test::all_aggregates();
    statement.keys.kind = keys;
    test::output_all(statement);
    all.push_back(statement);
    statement.source.unit = {Unit::Kind::rows, {}, 2};
    statement.steps.clear();
    statement.aggregates.erase(statement.aggregates.begin() + 1);
    statement.outputs.erase(statement.outputs.begin() + 1);
    all.push_back(statement);
  }
  return all;
}

TEST(Compile, loses_what_was_asked_for_and_more_for_larger_distances) {
  for (const Statement& statement : examples()) {
    for (const Loss& loss : {Loss{false, 1, 1e-7}, Loss{true, 0.3, 1e-7}}) {
      const CompiledQuery compiled = compile(statement, loss, kAlpha, no_data());
      EXPECT_LE(compiled.loss.amount, loss.amount);
      EXPECT_GT(compiled.loss.amount, loss.amount * (1 - 1e-9));
      EXPECT_LE(compiled.loss.delta, loss.delta);
      double sum = 0;
      for (const PreviewRow& each : compiled.preview) sum += each.loss;
      EXPECT_NEAR(sum, loss.amount, 1e-9);
      Distance before = compiled.measurement.map(Scalar(std::uint32_t{0}));
      EXPECT_EQ(loss_in((*before.as<Distance::Tuple>())[0]), 0);
      EXPECT_EQ(loss_in((*before.as<Distance::Tuple>())[1]), 0);
      for (std::uint32_t d = 1; d < 8; ++d) {
        const Distance here = compiled.measurement.map(Scalar(d));
        EXPECT_TRUE(at_most(before, here));
        before = here;
      }
    }
  }
}

TEST(Compile, releases_the_truth_as_the_loss_grows) {
  Statement statement = statement_by_ward({}, {caps(2, 100)});
  statement.aggregates = test::all_aggregates();
  test::output_all(statement);
  const QueryTable table = {
      row(1, 0, 1), row(1, 0, 3), row(2, 0, -2), row(2, 0, std::nullopt), row(3, 2, 6)};
  for (const bool concentrated : {false, true}) {
    const QueryPlan plan(statement, Loss{concentrated, concentrated ? 1e17 : 1e9, 0}, kAlpha);
    const Value release = released(plan, table, 3);
    EXPECT_EQ(texts(part_of_release(release, 0, 0)),
              (std::vector<std::string>{"A", "B", "C", "D"}));
    const auto estimate = [&](std::size_t at) { return cells(part_of_release(release, 1, at)); };
    EXPECT_EQ(estimate(0), (std::vector<double>{4, 0, 1, 0}));
    EXPECT_EQ(estimate(1), (std::vector<double>{2, 0, 1, 0}));
    EXPECT_EQ(estimate(2), (std::vector<double>{1, 0, 0, 0}));
    EXPECT_EQ(estimate(3), (std::vector<double>{3, 0, 1, 0}));
    EXPECT_NEAR(estimate(4)[0], 2, 1e-3);
    EXPECT_NEAR(estimate(4)[2], 6, 1e-3);
    EXPECT_NEAR(estimate(5)[0], 2.0 / 3, 1e-3);
    EXPECT_NEAR(estimate(5)[1], 2, 1e-3);  // without rows: the middle
    const double mean = 2.0 / 3;
    const double variance = (1 + 9 + 4) / 3.0 - mean * mean;
    EXPECT_NEAR(estimate(6)[0], variance, 1e-3);
    const auto& quantiles = *part_of_release(release, 1, 7).as<Value::Tuple>();
    EXPECT_EQ(cells(quantiles[0])[1], 1);
    EXPECT_EQ(cells(quantiles[2])[1], 6);
    const double median = estimate(8)[0];
    EXPECT_GT(median, -2);
    EXPECT_LE(median, 3);
    EXPECT_EQ(estimate(8)[1], 2);  // without rows: the middle
    const auto& histogram = *part_of_release(release, 1, 9).as<Value::Tuple>();
    EXPECT_EQ(cells(histogram[0]), (std::vector<double>{1, 0, 1, 1}));
    EXPECT_EQ(cells(histogram[2]), (std::vector<double>{0, 0, 0, 1}));
  }
}

TEST(Compile, has_arithmetic_of_aggregates) {
  Statement statement = statement_by_ward({}, {caps(2, 3)});
  statement.aggregates = {aggregate(Kind::count, "n"), aggregate(Kind::sum, "total")};
  const auto call = [](const std::string& op, std::vector<ExpressionPtr> args) {
    return std::make_shared<Expression>(Call{op, std::move(args)});
  };
  const auto two = std::make_shared<Expression>(Literal{2.0, false});
  statement.outputs = {
      {"x",
       call("pmax",
            {call("-", {call("/", {column_of_query("total"), two}), column_of_query("n")}), two})}};
  const QueryPlan plan(statement, Loss{false, 1e9, 0}, kAlpha);
  const Value release = released(plan, {row(1, 1, 6), row(1, 1, 6), row(1, 1, 6)}, 1);
  EXPECT_NEAR(cells(part_of_release(release, 1, 0))[1], 6, 1e-3);
  EXPECT_NEAR(cells(part_of_release(release, 1, 0))[0], 2, 1e-3);
  EXPECT_NEAR(cells(part_of_release(release, 3, 0))[1], 6, 1e-3);
  EXPECT_NEAR(cells(part_of_release(release, 4, 0))[1], 6, 1e-3);
  statement.outputs[0].value = call("exp", {column_of_query("n")});
  test::expect_error(ErrorKind::unsupported, [&] { QueryPlan(statement, kPure, kAlpha); });
  statement.outputs[0].value = call("+", {column_of_query("n"), column_of_query("m")});
  test::expect_error(ErrorKind::unsupported, [&] { QueryPlan(statement, kPure, kAlpha); });
}

QueryTable many_people(int people, int ward) {
  QueryTable table;
  for (int person = 0; person < people; ++person) table.push_back(row(person, ward, 1));
  return table;
}

TEST(Compile, releases_no_group_below_its_threshold) {
  Statement statement = statement_by_ward({}, {caps(1, 1)});
  statement.aggregates = {aggregate(Kind::count, "n"), aggregate(Kind::mean, "m")};
  statement.keys.kind = Keys::Kind::threshold;
  test::output_all(statement);
  const QueryPlan plan(statement, Loss{false, 4, 1e-6}, kAlpha);
  ASSERT_TRUE(plan.threshold());
  EXPECT_TRUE(plan.parts().parts[*plan.parts().threshold].of_people);
  EXPECT_GT(*plan.threshold(), 5);
  const auto wards = [&](int people) {
    return texts(part_of_release(released(plan, many_people(people, 2), 5), 0, 0));
  };
  EXPECT_EQ(wards(0), (std::vector<std::string>{}));
  EXPECT_EQ(wards(1), (std::vector<std::string>{}));
  EXPECT_EQ(wards(300), (std::vector<std::string>{"C"}));
  test::expect_error(ErrorKind::keys, [&] { QueryPlan(statement, kPure, kAlpha); });
}

TEST(Compile, uses_a_number_of_people_that_is_asked_for_as_threshold) {
  Statement statement = statement_by_ward({}, {caps(1, 1)});
  statement.aggregates = {aggregate(Kind::ids, "people")};
  statement.keys.kind = Keys::Kind::threshold;
  const Loss loss{false, 1, 1e-6};
  EXPECT_EQ(QueryPlan(statement, loss, kAlpha).parts().parts.size(), 1u);
  statement.aggregates = {aggregate(Kind::count, "n")};
  EXPECT_EQ(QueryPlan(statement, loss, kAlpha).parts().parts.size(), 2u);
}

Statement suppressing(std::uint32_t least) {
  Statement statement = statement_by_ward({}, {caps(1, 1)});
  statement.aggregates = {aggregate(Kind::ids, "people"), aggregate(Kind::mean, "m")};
  statement.keys.suppress = least;
  test::output_all(statement);
  return statement;
}

TEST(Compile, suppresses_public_groups_of_few) {
  const Statement statement = suppressing(5);
  const QueryPlan plan(statement, Loss{false, 1e9, 0}, kAlpha);
  const auto wards = [&](int people) {
    return texts(part_of_release(released(plan, many_people(people, 2), 5), 0, 0));
  };
  EXPECT_EQ(wards(0), (std::vector<std::string>{}));
  EXPECT_EQ(wards(4), (std::vector<std::string>{}));
  EXPECT_EQ(wards(5), (std::vector<std::string>{"C"}));
  const Value release = released(plan, many_people(5, 2), 5);
  EXPECT_EQ(cells(part_of_release(release, 1, 0)), (std::vector<double>{5}));
  EXPECT_EQ(cells(part_of_release(release, 1, 1)).size(), 1u);
}

TEST(Compile, suppresses_by_the_noisy_number_at_no_cost_but_its_own) {
  Statement statement = suppressing(5);
  Statement all = statement;
  all.keys.suppress.reset();
  const QueryPlan plan(statement, Loss{false, 1, 1e-6}, kAlpha);
  const QueryPlan unsuppressed(all, Loss{false, 1, 1e-6}, kAlpha);
  for (const std::uint32_t d_in : {0U, 1U, 3U}) {
    const Distance::Tuple loss = *plan.loss_at(d_in).as<Distance::Tuple>();
    const Distance::Tuple of_all = *unsuppressed.loss_at(d_in).as<Distance::Tuple>();
    EXPECT_EQ(loss_in(loss[0]), loss_in(of_all[0]));
    EXPECT_EQ(loss_in(loss[1]), 0);
  }
  // With 5 people, about half of the releases are below.
  const QueryPlan noisy(statement, Loss{false, 0.5, 0}, kAlpha);
  int left = 0;
  for (int seed = 0; seed < 200; ++seed) {
    const Value release = released(noisy, many_people(5, 2), static_cast<std::uint64_t>(seed));
    const std::vector<double> numbers = cells(part_of_release(release, 1, 0));
    for (const double number : numbers) EXPECT_GE(number, 5);
    left += static_cast<int>(numbers.size());
  }
  EXPECT_GT(left, 100);
  EXPECT_LT(left, 500);
  statement.aggregates = {aggregate(Kind::count, "n")};
  test::output_all(statement);
  const QueryPlan hidden(statement, Loss{false, 1, 0}, kAlpha);
  EXPECT_EQ(hidden.parts().parts.size(), 2u);
  EXPECT_TRUE(hidden.parts().parts[*hidden.parts().threshold].of_people);
}

TEST(Compile, suppresses_no_groups_whose_keys_are_not_public) {
  Statement statement = suppressing(5);
  for (const Keys::Kind kind : {Keys::Kind::threshold, Keys::Kind::select}) {
    statement.keys.kind = kind;
    test::expect_error(ErrorKind::keys, [&] {
      QueryPlan(statement, Loss{false, 1, 1e-6}, kAlpha);
    });
  }
}

TEST(Compile, selects_keys_by_the_number_of_people) {
  Statement statement = statement_by_ward({}, {caps(1, 2)});
  statement.aggregates = {aggregate(Kind::count, "n")};
  statement.keys.kind = Keys::Kind::select;
  test::output_all(statement);
  const QueryPlan plan(statement, Loss{true, 0.5, 1e-6}, kAlpha);
  ASSERT_TRUE(plan.selection());
  const auto certain = static_cast<int>(plan.selection()->certain());
  EXPECT_EQ(texts(part_of_release(released(plan, many_people(certain, 1), 5), 0, 0)),
            (std::vector<std::string>{"B"}));
  EXPECT_TRUE(texts(part_of_release(released(plan, many_people(1, 1), 5), 0, 0)).empty());
}

TEST(Compile, releases_the_groups_of_a_table_whatever_the_data_hold) {
  Statement statement = statement_by_ward({}, {caps(1, 1)});
  statement.aggregates = {aggregate(Kind::count, "n")};
  statement.keys.kind = Keys::Kind::table;
  Field ward = test::text_field("ward");
  statement.keys.table.fields = {ward};
  statement.keys.table.columns = {
      {{std::string("D"), false}, {std::string("B"), false}, {std::string("D"), false}}};
  test::output_all(statement);
  const QueryPlan plan(statement, Loss{false, 1e9, 0}, kAlpha);
  const Value release = released(plan, many_people(3, 1), 5);
  EXPECT_EQ(texts(part_of_release(release, 0, 0)), (std::vector<std::string>{"D", "B"}));
  EXPECT_EQ(cells(part_of_release(release, 1, 0)), (std::vector<double>{0, 3}));
  statement.keys.table.columns[0].push_back({std::string("Z"), false});
  test::expect_error(ErrorKind::domain, [&] { QueryPlan(statement, kPure, kAlpha); });
}

TEST(Compile, releases_exactly_what_no_neighbour_moves) {
  Statement statement = statement_by_ward({}, {});
  statement.source.unit = {Unit::Kind::changes, {}, 1};
  statement.by = {};
  statement.aggregates = {aggregate(Kind::count, "n"), aggregate(Kind::sum, "total")};
  test::output_all(statement);
  const CompiledQuery compiled = compile(statement, kPure, kAlpha, no_data());
  EXPECT_EQ(compiled.preview[0].mechanism, "none");
  EXPECT_EQ(compiled.preview[0].loss, 0);
  EXPECT_EQ(compiled.preview[1].loss, 1);
  EXPECT_EQ(compiled.preview[1].share, 1);
  const QueryPlan plan(statement, kPure, kAlpha);
  EXPECT_EQ(cells(part_of_release(released(plan, many_people(7, 1), 5), 1, 0)),
            (std::vector<double>{7}));
}

struct Truth {
  std::size_t output;
  double value;
};

// Number of intervals, out of 300 releases, that miss each truth.
std::vector<int> misses(const QueryPlan& plan,
                        const QueryTable& table,
                        const std::vector<Truth>& truths) {
  std::vector<int> missed(truths.size(), 0);
  const ExactAggregates counted = tallied(plan, table);
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Value release = released(plan, counted, seed);
    for (std::size_t i = 0; i < truths.size(); ++i) {
      const auto [output, value] = truths[i];
      const double lower = cells(part_of_release(release, 3, output))[0];
      const double upper = cells(part_of_release(release, 4, output))[0];
      if (value < lower || value > upper) ++missed[i];
    }
  }
  return missed;
}

TEST(Compile, has_intervals_that_cover) {
  Statement statement = statement_by_ward({}, {caps(1, 1)}, 1);
  statement.aggregates = {aggregate(Kind::count, "n"),
                          aggregate(Kind::sum, "total"),
                          aggregate(Kind::mean, "m"),
                          aggregate(Kind::variance, "v")};
  test::output_all(statement);
  QueryTable table;
  for (int person = 0; person < 60; ++person) table.push_back(row(person, 0, person % 2 * 4 - 1));
  for (const bool concentrated : {false, true}) {
    const QueryPlan plan(statement, Loss{concentrated, 0.5, 0}, Alpha(0.2));
    // Each of 300 intervals misses with probability 0.2. More than 97 miss with probability below
    // 1e-7.
    const std::vector<int> missed =
        misses(plan, table, {{0, 60}, {1, 60}, {2, 1}, {3, 4}, {0, 90}});
    for (std::size_t i = 0; i < 4; ++i) EXPECT_LE(missed[i], 97);
    EXPECT_GT(missed[0], 25);  // not much too wide
    EXPECT_GT(missed[1], 25);
    EXPECT_GT(missed[4], 97);  // a wrong truth
  }
}

TEST(Compile, finds_the_loss_that_an_accuracy_costs) {
  Statement statement = statement_by_ward({}, {caps(2, 3)});
  statement.aggregates = {
      aggregate(Kind::count, "n"), aggregate(Kind::sum, "total"), aggregate(Kind::mean, "m")};
  for (const bool concentrated : {false, true}) {
    const Loss loss =
        solve(statement, Loss{concentrated, 1, 0}, {{"n", 40.0}, {"total", 300.0}}, kAlpha);
    const auto preview = compile(statement, loss, kAlpha, no_data()).preview;
    EXPECT_LE(preview[0].accuracy, 40);
    EXPECT_LE(preview[1].accuracy, 300);
    Loss less = loss;
    less.amount *= 0.9;
    const auto worse = compile(statement, less, kAlpha, no_data()).preview;
    EXPECT_TRUE(worse[0].accuracy > 40 || worse[1].accuracy > 300);
  }
  test::expect_error(ErrorKind::unsupported, [&] {
    solve(statement, kPure, {{"m", 1.0}}, kAlpha);
  });
  test::expect_error(ErrorKind::unsupported, [&] {
    solve(statement, kPure, {{"x", 1.0}}, kAlpha);
  });
}

TEST(Compile, keeps_scales_that_were_given_and_shares_the_rest) {
  Statement statement = statement_by_ward({}, {caps(1, 1)});
  statement.aggregates = {
      aggregate(Kind::count, "n"), aggregate(Kind::sum, "total"), aggregate(Kind::ids, "ids")};
  statement.aggregates[0].scale = 4;
  statement.aggregates[2].accuracy = 20;
  const auto preview = compile(statement, kPure, kAlpha, no_data()).preview;
  EXPECT_EQ(preview[0].scale, 4);
  EXPECT_EQ(preview[0].loss, 0.25);
  EXPECT_TRUE(std::isnan(preview[0].share));
  EXPECT_NEAR(preview[2].accuracy, 20, 1e-6);
  EXPECT_EQ(preview[1].share, 1);
  EXPECT_NEAR(preview[0].loss + preview[1].loss + preview[2].loss, 1, 1e-12);
  statement.aggregates[0].scale = 0.5;
  test::expect_error(ErrorKind::budget, [&] { compile(statement, kPure, kAlpha, no_data()); });
}

TEST(Compile, says_which_cap_is_missing) {
  Statement statement = statement_by_ward({}, {});
  statement.aggregates = {aggregate(Kind::count, "n")};
  const auto refusal = [&] {
    return test::expect_error(ErrorKind::unbounded, [&] { QueryPlan(statement, kPure, kAlpha); });
  };
  EXPECT_EQ(refusal(), "The rows of one `patient` are not limited.");
  statement.source.fields.push_back(test::text_field("zip"));
  statement.by = {"zip"};
  statement.keys.kind = Keys::Kind::threshold;
  Truncate cap;
  cap.by = {"zip"};
  cap.rows_per_group = 3;
  statement.steps = {cap};
  EXPECT_EQ(
      test::expect_error(ErrorKind::unbounded,
                         [&] {
                           QueryPlan(statement, Loss{false, 1, 1e-6}, kAlpha);
                         }),
      "One `patient` may be in any number of `zip` groups; only the rows in each are limited.");
  statement.keys.kind = Keys::Kind::declared;
  EXPECT_EQ(test::expect_error(ErrorKind::keys, [&] { QueryPlan(statement, kPure, kAlpha); }),
            "The values of `zip` are not public.");
}

TEST(Compile, refuses_losses_that_are_none) {
  Statement statement = statement_by_ward({}, {caps(1, 1)});
  statement.aggregates = {aggregate(Kind::count, "n")};
  for (const double amount : {0.0, -1.0, HUGE_VAL, std::nan("")}) {
    test::expect_error(ErrorKind::budget, [&] {
      QueryPlan(statement, Loss{false, amount, 0}, kAlpha);
    });
  }
  for (const double delta : {-1e-9, 1.0, std::nan("")}) {
    test::expect_error(ErrorKind::budget, [&] {
      QueryPlan(statement, Loss{false, 1, delta}, kAlpha);
    });
  }
}

// Errors of 8000 released counts of `people` people.
std::vector<double> count_errors(const QueryPlan& plan, int people, std::uint64_t first_seed) {
  const ExactAggregates counted = tallied(plan, many_people(people, 0));
  std::vector<double> errors;
  for (std::uint64_t seed = first_seed; seed < first_seed + 8000; ++seed) {
    errors.push_back(cells(part_of_release(released(plan, counted, seed), 1, 0))[0] - people);
  }
  return errors;
}

// Largest log-ratio of tail frequencies between releases of 4 and of 3 people, with errors scaled
// by `scale_error`.
double observed_loss(const std::vector<double>& errors_of_4,
                     const std::vector<double>& errors_of_3,
                     double scale_error) {
  const auto above = [&](const std::vector<double>& errors, int people) {
    return static_cast<double>(std::count_if(errors.begin(), errors.end(), [&](double error) {
      return people + error * scale_error >= 4;
    }));
  };
  return std::log(above(errors_of_4, 4) / above(errors_of_3, 3));
}

TEST(Compile, distinguishes_neighbours_by_no_more_than_its_loss) {
  Statement statement = statement_by_ward({}, {caps(1, 1)}, 1);
  statement.aggregates = {aggregate(Kind::count, "n")};
  test::output_all(statement);
  const QueryPlan plan(statement, Loss{false, 0.5, 0}, kAlpha);
  const std::vector<double> with = count_errors(plan, 4, 0);
  const std::vector<double> without = count_errors(plan, 3, 8000);
  // The standard error of the log-ratio is about 0.02.
  EXPECT_NEAR(observed_loss(with, without, 1), 0.5, 0.08);
  EXPECT_GT(observed_loss(with, without, 0.5), 0.65);
}

}  // namespace
}  // namespace dp::query
