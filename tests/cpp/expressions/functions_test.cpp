// Functions for rounding, logarithms, strings and na_if().
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/expressions/evaluate.h"
#include "core/expressions/rounding.h"
#include "core/expressions/typing.h"
#include "core/numeric/lattice.h"
#include "query/query_tables.h"
#include "support/expect_error.h"

namespace dp::test::functions_test {
namespace {

using query::ExpressionPtr;
using query::Field;
using query::FieldType;
using query::kNone;
using query::kNoReal;
using query::Rounding;
using Wholes = std::vector<std::int64_t>;
using Reals = std::vector<double>;

// n: integers; x: reals; w: levels; u: reals from 1.
std::vector<Field> fields() {
  return {whole_field("n", -1000, 1000),
          real_field("x", -100, 100),
          levels_field("w", {" Ab", "aB ", "\xc3\x89 x", "ab"}),
          real_field("u", 1, 16),
          plain_field("t", FieldType::text)};
}

struct Result {
  query::Cells cells;
  Field type;
};

Result values(const ExpressionPtr& expression, const Wholes& n, const Reals& x) {
  query::TextPool texts;
  query::RowBatch batch;
  batch.size = std::max(n.size(), x.size());
  batch.columns.resize(5);
  batch.columns[0].wholes = n;
  batch.columns[1].reals = x;
  batch.columns[2].wholes = n;
  batch.columns[3].reals = x;
  batch.columns[4].wholes.assign(batch.size, kNone);
  const auto bound = query::bind_expression(*expression, fields(), texts);
  query::Cells room;
  return {query::evaluate(*bound, batch, room), bound->type};
}

Wholes of_wholes(const ExpressionPtr& expression, const Wholes& n) {
  return values(expression, n, {}).cells.wholes;
}
Reals of_reals(const ExpressionPtr& expression, const Reals& x) {
  return values(expression, {}, x).cells.reals;
}

const ExpressionPtr kN = column_named("n");
const ExpressionPtr kX = column_named("x");
const ExpressionPtr kW = column_named("w");
const ExpressionPtr kU = column_named("u");

TEST(Rounding, TiesGoToEvenMultiples) {
  EXPECT_EQ(of_wholes(call("round", {kN, written_whole(-1)}),
                      {-25, -15, -14, -5, 5, 15, 16, 25, 994, kNone}),
            (Wholes{-20, -20, -10, 0, 0, 20, 20, 20, 990, kNone}));
  EXPECT_EQ(of_wholes(call("round", {kN}), {-3, kNone}), (Wholes{-3, kNone}));
  const Result halves = values(call("round", {kX}), {}, {-1.5, -0.5, 0.5, 1.5, 2.4, kNoReal});
  EXPECT_EQ(halves.cells.wholes, (Wholes{-2, 0, 0, 2, 2, kNone}));
  EXPECT_EQ(halves.type.wholes, (std::pair<std::int64_t, std::int64_t>{-100, 100}));
  EXPECT_EQ(
      values(call("round", {kX, written(-1.0)}), {}, {-15.5, 14.9, 15, 25, 25.5}).cells.wholes,
      (Wholes{-20, 10, 20, 20, 30}));
}

TEST(Rounding, OtherWaysAreThoseOfTheirNames) {
  const Reals x{-1.5, -1, -0.25, 0, 0.25, 1.5};
  EXPECT_EQ(values(call("floor", {kX}), {}, x).cells.wholes, (Wholes{-2, -1, -1, 0, 0, 1}));
  EXPECT_EQ(values(call("ceiling", {kX}), {}, x).cells.wholes, (Wholes{-1, -1, 0, 0, 1, 2}));
  EXPECT_EQ(values(call("trunc", {kX}), {}, x).cells.wholes, (Wholes{-1, -1, 0, 0, 0, 1}));
}

// R 4.0.0 and later.
TEST(Rounding, DigitsAreThoseOfTheNearerDecimal) {
  const Reals x{0.15, 0.25, 0.35, 2.675, -0.15, 0.45, 33.333, kNoReal};
  const Reals tenths = of_reals(call("round", {kX, written_whole(1)}), x);
  const Reals expected{0.1, 0.2, 0.3, 2.7, -0.1, 0.4, 33.3};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(tenths[i], expected[i]) << x[i];
  EXPECT_TRUE(std::isnan(tenths.back()));
}

TEST(Rounding, IsMonotoneAndWithinItsBounds) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> draw(-100, 100);
  for (std::int64_t digits = 1; digits <= 15; ++digits) {
    for (int i = 0; i < 2000; ++i) {
      const double x = draw(random);
      const double y = i % 2 == 0 ? std::nextafter(x, 200) : draw(random);
      const auto [low, high] = std::minmax(x, y);
      EXPECT_LE(query::rounded_real(low, digits), query::rounded_real(high, digits));
      EXPECT_LE(std::fabs(query::rounded_real(x, digits) - x),
                0.5 * std::pow(10.0, static_cast<double>(-digits)) * (1 + 1e-9) + 1e-13);
    }
  }
}

TEST(Elementary, ValuesAreOnThePublicLatticeOfTheirBounds) {
  const auto on_lattice = [](const ExpressionPtr& expression, double (*f)(double)) {
    const Reals x{1, 1.5, 2, 3.25, 10, 16};
    const Result found = values(expression, {}, x);
    const auto [lower, upper] = *found.type.reals;
    const double step = std::ldexp(1.0, dp::lattice_for(lower, upper).exponent);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double y = found.cells.reals[i];
      EXPECT_NEAR(y, f(x[i]), step + 1e-12 * std::fabs(y));
      EXPECT_GE(y, lower);
      EXPECT_LE(y, upper);
      EXPECT_EQ(std::fmod(y, step), 0);
    }
  };
  on_lattice(call("log", {kU}), [](double x) { return std::log(x); });
  on_lattice(call("log", {kU, written_whole(2)}), [](double x) { return std::log2(x); });
  on_lattice(call("log", {kU, written(10.0)}), [](double x) { return std::log10(x); });
  on_lattice(call("log1p", {kU}), [](double x) { return std::log1p(x); });
  on_lattice(call("exp", {kU}), [](double x) { return std::exp(x); });
  on_lattice(call("sqrt", {kU}), [](double x) { return std::sqrt(x); });
}

TEST(Elementary, WhatHasNoValueIsMissing) {
  EXPECT_TRUE(std::isnan(of_reals(call("sqrt", {kX}), {-1})[0]));
  EXPECT_TRUE(values(call("sqrt", {kX}), {}, {4}).type.may_be_missing);
  expect_error(ErrorKind::domain, [] { values(call("log", {kX}), {}, {1}); });
  expect_error(ErrorKind::unsupported, [] {
    values(call("log", {kU, written_whole(1)}), {}, {1});
  });
}

TEST(NaIf, TakesOneValueOut) {
  EXPECT_EQ(of_wholes(call("na_if", {kN, written_whole(9)}), {9, 8, kNone}),
            (Wholes{kNone, 8, kNone}));
  EXPECT_EQ(of_wholes(call("na_if", {kN, written_missing()}), {9, kNone}), (Wholes{9, kNone}));
  EXPECT_EQ(of_wholes(call("na_if", {kN, kN, written_whole(9)}), {9, 8}), (Wholes{kNone, 8}));
  const Result levels = values(call("na_if", {kW, written_text("ab")}), {0, 3, kNone}, {});
  EXPECT_EQ(levels.cells.wholes, (Wholes{0, kNone, kNone}));
  EXPECT_EQ(levels.type.levels.size(), 4U);
  expect_error(ErrorKind::unsupported, [] {
    values(call("na_if", {kN, written_whole(9999)}), {1}, {});
  });
  expect_error(ErrorKind::unsupported, [] {
    values(call("na_if", {kW, written_text("zz")}), {1}, {});
  });
}

TEST(Texts, LevelsThatBecomeOneAreOne) {
  const Result lower = values(call("tolower", {kW}), {0, 1, 2, 3, kNone}, {});
  EXPECT_EQ(lower.type.levels, (std::vector<std::string>{" ab", "ab ", "\xc3\x89 x", "ab"}));
  const Result both = values(
      call("toupper", {call("trimws", {kW, written_text("both")})}), {0, 1, 2, 3, kNone}, {});
  EXPECT_EQ(both.type.levels, (std::vector<std::string>{"AB", "\xc3\x89 X"}));
  EXPECT_EQ(both.cells.wholes, (Wholes{0, 0, 1, 0, kNone}));
  const Result first = values(call("substr", {kW, written_whole(1), written_whole(1)}), {2, 1}, {});
  EXPECT_EQ(first.type.levels, (std::vector<std::string>{" ", "a", "\xc3\x89"}));
  EXPECT_EQ(first.cells.wholes, (Wholes{2, 1}));
  expect_error(ErrorKind::unsupported,
               [] { values(call("tolower", {column_named("t")}), {1}, {}); });
}

}  // namespace
}  // namespace dp::test::functions_test
