#include "core/expressions/elementary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/expressions/evaluate.h"
#include "core/expressions/typing.h"
#include "query/query_tables.h"
#include "support/expect_error.h"
#include "support/neighbours.h"

namespace dp::test::elementary_test {
namespace {

using query::ExpressionPtr;
using query::Field;
using query::Language;
using Interval = std::pair<double, double>;

const ExpressionPtr kX = column_named("x");

ExpressionPtr power(double k) { return call("^", {kX, written(k)}); }

query::BoundPtr bound(const ExpressionPtr& expression, const Interval& of) {
  static query::TextPool texts;
  return query::bind_expression(
      *expression, {real_field("x", of.first, of.second)}, texts, Language::formulas);
}

Interval interval(const ExpressionPtr& expression, const Interval& of) {
  return *bound(expression, of)->type.reals;
}

const Interval kAnything{-1e9, 1e9};

double value(const query::BoundPtr& function, double x) {
  query::RowBatch batch;
  batch.size = 1;
  batch.columns.resize(1);
  batch.columns[0].reals = {x};
  query::Cells room;
  return query::evaluate(*function, batch, room).reals[0];
}

double value(const ExpressionPtr& expression, double x) {
  return value(bound(expression, kAnything), x);
}

TEST(Elementary, ValuesAreThoseOfTheFunctionsOrNone) {
  EXPECT_EQ(value(power(2), -3), 9);
  EXPECT_EQ(value(power(3), -3), -27);
  EXPECT_EQ(value(power(-1), 4), 0.25);
  EXPECT_EQ(value(call("sqrt", {kX}), 6.25), 2.5);
  EXPECT_NEAR(value(call("log", {kX}), 10), std::log(10), 1e-15);
  const ExpressionPtr small = call("exp", {call("pmin", {kX, written(5.0)})});
  EXPECT_NEAR(value(small, -2), std::exp(-2), 1e-16);
  for (const double x : {0.0, -1.0, query::kNoReal}) {
    EXPECT_TRUE(std::isnan(value(call("log", {kX}), x))) << x;
  }
  EXPECT_TRUE(std::isnan(value(call("sqrt", {kX}), -1)));
  EXPECT_TRUE(std::isnan(value(power(-2), 0)));
  // Values beyond bounds, which public rows may have.
  EXPECT_TRUE(std::isnan(query::exponential_of_cell(701)));
  EXPECT_TRUE(std::isnan(query::logarithm_of_cell(HUGE_VAL)));
  EXPECT_TRUE(std::isnan(query::root_of_cell(HUGE_VAL)));
}

// Number of random cells within random bounds whose result leaves the claimed bounds.
int beyond(const ExpressionPtr& expression,
           const std::function<Interval(const Interval&)>& known,
           double least) {
  const query::BoundPtr function = bound(expression, kAnything);
  TestRandom random(7);
  int count = 0;
  for (int i = 0; i < 3000; ++i) {
    const double size = std::ldexp(1.0, static_cast<int>(random.below(9)) - 4);
    double lower = std::max(least, size * (2 * random.unit() - 1));
    double upper = lower + size * random.unit() + 1e-9;
    const auto [down, up] = known({lower, upper});
    for (const double x :
         {lower, upper, lower + (upper - lower) * random.unit(), std::clamp(0.0, lower, upper)}) {
      const double y = value(function, x);
      if (!std::isnan(y) && !(down <= y && y <= up)) ++count;
    }
  }
  return count;
}

TEST(Elementary, IntervalsHoldAllValuesAndThoseOfTheEndsAloneDoNot) {
  const auto expect_held = [](const ExpressionPtr& each, double least) {
    EXPECT_EQ(beyond(
                  each, [&](const Interval& of) { return interval(each, of); }, least),
              0);
  };
  const ExpressionPtr e = call("exp", {call("pmin", {kX, written(30.0)})});
  for (const ExpressionPtr& each :
       {power(1), power(2), power(3), power(5), power(8), power(-1), power(-2), e}) {
    expect_held(each, -100);
  }
  for (const ExpressionPtr& each : {call("sqrt", {kX}), call("log", {kX})}) {
    expect_held(each, 1e-6);
  }
  // An even power is least at 0, and rounding must not move an end outward.
  const auto ends = [](const Interval& of) {
    return std::minmax(of.first * of.first, of.second * of.second);
  };
  EXPECT_GT(beyond(power(2), ends, -100), 0);
  const ExpressionPtr logarithm = call("log", {kX});
  const auto inward = [&](const Interval& of) {
    const Interval real = interval(logarithm, of);
    return Interval{real.first, real.second - 0x1p-40 * std::fabs(real.second)};
  };
  EXPECT_GT(beyond(logarithm, inward, 1e-6), 0);
}

TEST(Elementary, NothingIsKnownOfWhatMayBeInfinite) {
  EXPECT_FALSE(query::is_bounded(bound(call("log", {kX}), {0, 1})->type));
  EXPECT_FALSE(query::is_bounded(bound(power(-1), {-1, 1})->type));
  EXPECT_TRUE(query::is_bounded(bound(call("log", {kX}), {1e-300, 1})->type));
  EXPECT_EQ(interval(power(2), {-2, 1}), Interval(0, 4));
  EXPECT_EQ(interval(call("sqrt", {kX}), {-5, 4}), Interval(0, 2));
  const auto refused = [](ErrorKind kind, const ExpressionPtr& expression, const Interval& of) {
    expect_error(kind, [&] { bound(expression, of); });
  };
  refused(ErrorKind::unsupported, call("log", {kX}), {-2, 0});
  refused(ErrorKind::unsupported, call("sqrt", {kX}), {-2, -1});
  refused(ErrorKind::unsupported, call("exp", {kX}), {0, 691});
  refused(ErrorKind::unsupported, power(32), {0, 1e10});
  refused(ErrorKind::domain, call("+", {call("log", {kX}), kX}), {0, 1});
  for (const double k : {0.0, 0.5, 33.0, -33.0}) refused(ErrorKind::unsupported, power(k), {1, 2});
  refused(ErrorKind::unsupported, call("^", {kX, kX}), {1, 2});
}

TEST(Elementary, QueriesWhichEnginesAnswerHaveNoPowers) {
  query::TextPool texts;
  expect_error(ErrorKind::unsupported,
               [&] { query::bind_expression(*power(2), {real_field("x", 1, 2)}, texts); });
}

}  // namespace
}  // namespace dp::test::elementary_test
