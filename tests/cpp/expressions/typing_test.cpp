#include "core/expressions/typing.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/expressions/calendar.h"
#include "core/expressions/evaluate.h"
#include "query/query_tables.h"
#include "support/expect_error.h"

namespace dp::test::typing_test {
namespace {

using query::Cells;
using query::ExpressionPtr;
using query::Field;
using query::FieldType;
using query::kNone;
using query::kNoReal;
using query::RowBatch;
using Wholes = std::vector<std::int64_t>;
using Reals = std::vector<double>;

// n: integers from -7 to 7; x: reals; f: logicals; w: levels; y: integer levels; d: dates; t: text.
std::vector<Field> fields() {
  Field whole_levels = levels_field("y", {"2020", "2019", "2024"});
  whole_levels.whole_levels = true;
  Field dates = plain_field("d", FieldType::date);
  dates.wholes = {-1000, 20000};
  return {whole_field("n", -7, 7),
          real_field("x", -2.5, 10),
          plain_field("f", FieldType::logical),
          levels_field("w", {"A", "B"}),
          whole_levels,
          dates,
          plain_field("t", FieldType::text),
          plain_field("u", FieldType::integer)};
}

struct Row {
  std::int64_t n = 0;
  double x = 0;
  std::int64_t f = 0, w = 0, y = 0, d = 0;
};

struct Result {
  Cells cells;
  Field type;
};

// Texts: "a", missing, "b" in turns.
Result values(const ExpressionPtr& expression, const std::vector<Row>& rows) {
  query::TextPool texts;
  RowBatch batch;
  batch.size = rows.size();
  batch.columns.resize(8);
  const std::int64_t in_turn[] = {texts.copy("a"), kNone, texts.copy("b")};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    batch.columns[0].wholes.push_back(rows[i].n);
    batch.columns[1].reals.push_back(rows[i].x);
    batch.columns[2].wholes.push_back(rows[i].f);
    batch.columns[3].wholes.push_back(rows[i].w);
    batch.columns[4].wholes.push_back(rows[i].y);
    batch.columns[5].wholes.push_back(rows[i].d);
    batch.columns[6].wholes.push_back(in_turn[i % 3]);
    batch.columns[7].wholes.push_back(rows[i].n);
  }
  const query::BoundPtr bound = query::bind_expression(*expression, fields(), texts);
  Cells room;
  const Cells cells = query::evaluate(*bound, batch, room);
  return {cells, bound->type};
}

std::vector<Row> rows_of_n(const Wholes& n) {
  std::vector<Row> rows;
  for (const std::int64_t value : n) rows.push_back({value});
  return rows;
}

Wholes wholes(const std::string& op,
              std::vector<ExpressionPtr> args,
              const std::vector<Row>& rows) {
  return values(call(op, std::move(args)), rows).cells.wholes;
}

const ExpressionPtr kN = column_named("n");
const ExpressionPtr kX = column_named("x");
const ExpressionPtr kF = column_named("f");

TEST(Expressions, RemaindersHaveTheSignOfTheDivisorAndQuotientsFloor) {
  const std::vector<Row> rows = rows_of_n({-7, -3, 0, 2, 7, kNone});
  EXPECT_EQ(wholes("%%", {kN, written_whole(3)}, rows), (Wholes{2, 0, 0, 2, 1, kNone}));
  EXPECT_EQ(wholes("%%", {kN, written_whole(-3)}, rows), (Wholes{-1, 0, 0, -1, -2, kNone}));
  EXPECT_EQ(wholes("%/%", {kN, written_whole(3)}, rows), (Wholes{-3, -1, 0, 0, 2, kNone}));
  EXPECT_EQ(wholes("%/%", {kN, written_whole(-3)}, rows), (Wholes{2, 1, 0, -1, -3, kNone}));
}

TEST(Expressions, LogicalsHaveThreeValues) {
  std::vector<Row> rows;
  for (const std::int64_t f : {std::int64_t{0}, std::int64_t{1}, kNone}) {
    for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, kNone})
      rows.push_back({n, 0, f});
  }
  const ExpressionPtr other = call("==", {kN, written_whole(1)});
  EXPECT_EQ(wholes("&", {kF, other}, rows), (Wholes{0, 0, 0, 0, 1, kNone, 0, kNone, kNone}));
  EXPECT_EQ(wholes("|", {kF, other}, rows), (Wholes{0, 1, kNone, 1, 1, 1, kNone, 1, kNone}));
  EXPECT_EQ(wholes("!", {kF}, rows), (Wholes{1, 1, 1, 0, 0, 0, kNone, kNone, kNone}));
}

TEST(Expressions, ComparisonsWithMissingAreMissingAndNaNIsMissing) {
  const std::vector<Row> rows{{1, 1}, {2, kNoReal}, {kNone, 3}, {3, -2.5}};
  EXPECT_EQ(wholes("<", {kN, kX}, rows), (Wholes{0, kNone, kNone, 0}));
  EXPECT_EQ(wholes(">=", {kN, kX}, rows), (Wholes{1, kNone, kNone, 1}));
  EXPECT_EQ(wholes("is.na", {kX}, rows), (Wholes{0, 1, 0, 0}));
  EXPECT_EQ(wholes("!=", {kN, written_missing()}, rows), (Wholes{kNone, kNone, kNone, kNone}));
  EXPECT_EQ(wholes("between", {kX, written(-2.5), written(1.0)}, rows), (Wholes{1, kNone, 0, 1}));
}

TEST(Expressions, MembershipIsNeverMissing) {
  const std::vector<Row> rows = rows_of_n({1, 2, kNone});
  EXPECT_EQ(wholes("%in%", {kN, written_whole(1)}, rows), (Wholes{1, 0, 0}));
  EXPECT_EQ(wholes("%in%", {kN, written_whole(5), written_missing()}, rows), (Wholes{0, 0, 1}));
  EXPECT_EQ(wholes("%in%", {column_named("t"), written_text("b"), written_text("a")}, rows),
            (Wholes{1, 0, 1}));
}

TEST(Expressions, TextAndLevelsAreComparedByTheirBytes) {
  const std::vector<Row> rows{{0, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 0, kNone}};
  EXPECT_EQ(wholes("==", {column_named("w"), written_text("B")}, rows), (Wholes{0, 1, kNone}));
  EXPECT_EQ(wholes("==", {column_named("t"), written_text("a")}, rows), (Wholes{1, kNone, 0}));
  EXPECT_EQ(wholes("<", {column_named("t"), written_text("aa")}, rows), (Wholes{1, kNone, 0}));
  EXPECT_EQ(wholes("<", {written_text("aa"), column_named("t")}, rows), (Wholes{0, kNone, 1}));
}

TEST(Expressions, LevelsThatAreWholeNumbersCountAsThem) {
  const std::vector<Row> rows{
      {0, 0, 0, 0, 0}, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 2}, {0, 0, 0, 0, kNone}};
  const ExpressionPtr year = column_named("y");
  EXPECT_EQ(wholes(">=", {year, written_whole(2020)}, rows), (Wholes{1, 0, 1, kNone}));
  const Result next = values(call("+", {year, written(1.0)}), rows);
  EXPECT_EQ(next.cells.wholes, (Wholes{2021, 2020, 2025, kNone}));
  EXPECT_EQ(next.type.wholes, (std::pair<std::int64_t, std::int64_t>{2020, 2025}));
}

TEST(Expressions, ChoicesTakeTheFirstTrueConditionAndIfElseKeepsAMissingOne) {
  const std::vector<Row> rows{{1, 0, 1}, {2, 0, 0}, {3, 0, kNone}};
  EXPECT_EQ(wholes("if_else", {kF, kN, written_whole(9)}, rows), (Wholes{1, 9, kNone}));
  const ExpressionPtr two = call("==", {kN, written_whole(2)});
  EXPECT_EQ(
      wholes("case_when", {kF, written_whole(5), two, written_whole(6), written_whole(7)}, rows),
      (Wholes{5, 6, 7}));
  EXPECT_EQ(wholes("coalesce", {kF, written(true)}, rows), (Wholes{1, 0, 1}));
}

TEST(Expressions, TextsThatAreWrittenAreTheLevelsOfAChoice) {
  const std::vector<Row> rows{{1, 0, 1, 0}, {2, 0, 0, 1}, {3, 0, kNone, kNone}};
  using Levels = std::vector<std::string>;
  const ExpressionPtr late = written_text("late"), early = written_text("early");
  const Result two = values(call("if_else", {kF, late, early}), rows);
  EXPECT_EQ(two.type.levels, (Levels{"late", "early"}));
  EXPECT_EQ(two.type.wholes, (std::pair<std::int64_t, std::int64_t>{0, 1}));
  EXPECT_EQ(two.cells.wholes, (Wholes{0, 1, kNone}));
  const ExpressionPtr one = call("==", {kN, written_whole(1)});
  const Result three =
      values(call("case_when", {one, early, kF, late, kF, early, written_missing()}), rows);
  EXPECT_EQ(three.type.levels, (Levels{"early", "late"}));
  EXPECT_EQ(three.cells.wholes, (Wholes{0, kNone, kNone}));
  EXPECT_TRUE(three.type.may_be_missing);
  const Result filled = values(call("coalesce", {column_named("w"), written_text("C")}), rows);
  EXPECT_EQ(filled.type.levels, (Levels{"A", "B", "C"}));
  EXPECT_EQ(filled.cells.wholes, (Wholes{0, 1, 2}));
  EXPECT_FALSE(filled.type.may_be_missing);
  // An existing level keeps its text, not its position.
  const Result mixed = values(call("if_else", {kF, written_text("B"), column_named("w")}), rows);
  EXPECT_EQ(mixed.type.levels, (Levels{"B", "A"}));
  EXPECT_EQ(mixed.cells.wholes, (Wholes{0, 0, kNone}));
  // Comparisons work the same way.
  const ExpressionPtr choice = call("if_else", {kF, late, early});
  EXPECT_EQ(wholes("==", {choice, late}, rows), (Wholes{1, 0, kNone}));
}

TEST(Expressions, TextsOfARowAreNoLevels) {
  const std::vector<Row> rows{{0, 0, 1}, {0, 0, 0}};
  const Result text = values(call("if_else", {kF, column_named("t"), written_text("z")}), rows);
  EXPECT_EQ(text.type.type, FieldType::text);
  EXPECT_EQ(text.type.levels.size(), 0U);
  const Result years = values(call("if_else", {kF, column_named("y"), written_text("z")}), rows);
  EXPECT_EQ(years.type.type, FieldType::text);
}

TEST(Expressions, ExtremesAreMissingWhereAnyIs) {
  const std::vector<Row> rows{{1, 2.5}, {kNone, 1}, {3, kNoReal}, {-3, -1}};
  const Reals least = values(call("pmin", {kN, kX}), rows).cells.reals;
  EXPECT_EQ(least[0], 1);
  EXPECT_TRUE(std::isnan(least[1]) && std::isnan(least[2]));
  EXPECT_EQ(least[3], -3);
  EXPECT_EQ(values(call("pmax", {kN, kX}), rows).cells.reals[0], 2.5);
}

TEST(Expressions, QuotientsThatAreNotFiniteAreMissing) {
  const std::vector<Row> rows{{1, 0}, {0, 0}, {7, 5e-324}, {6, 1.5}};
  const Result result = values(call("/", {kN, kX}), rows);
  EXPECT_TRUE(std::isnan(result.cells.reals[0]) && std::isnan(result.cells.reals[1]));
  EXPECT_TRUE(std::isnan(result.cells.reals[2]));
  EXPECT_EQ(result.cells.reals[3], 4);
  EXPECT_TRUE(result.type.may_be_missing);
  EXPECT_FALSE(query::is_bounded(result.type));
  EXPECT_TRUE(query::is_bounded(values(call("/", {kX, written(3.0)}), rows).type));
}

TEST(Expressions, CutIsOpenOnTheLeftAndClosedOnTheRight) {
  const std::vector<Row> rows{{0, -2.5}, {0, 0}, {0, 0.1}, {0, 5}, {0, 5.1}, {0, kNoReal}};
  const Result result =
      values(call("cut", {kX, written_whole(0), written(5.0), written(10.0)}), rows);
  EXPECT_EQ(result.cells.wholes, (Wholes{kNone, kNone, 0, 0, 1, kNone}));
  EXPECT_EQ(result.type.levels, (std::vector<std::string>{"(0,5]", "(5,10]"}));
}

TEST(Expressions, DatesHaveTheirParts) {
  const std::vector<Row> rows{{0, 0, 0, 0, 0, -1}, {0, 0, 0, 0, 0, 11016}, {0, 0, 0, 0, 0, kNone}};
  const ExpressionPtr day = column_named("d");
  EXPECT_EQ(wholes("year", {day}, rows), (Wholes{1969, 2000, kNone}));
  EXPECT_EQ(wholes("month", {day}, rows), (Wholes{12, 2, kNone}));
  EXPECT_EQ(wholes("day", {day}, rows), (Wholes{31, 29, kNone}));
  EXPECT_EQ(wholes("==", {day, written_day(-1)}, rows), (Wholes{1, 0, kNone}));
}

TEST(Calendar, CountsEveryDayOfTenThousandYears) {
  const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  std::int64_t day = query::kFirstDay;
  for (std::int64_t year = 1; year <= 9999; ++year) {
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    for (int month = 1; month <= 12; ++month) {
      const int length = lengths[month - 1] + (leap && month == 2 ? 1 : 0);
      const query::CivilDate first = query::civil_date(day);
      const query::CivilDate last = query::civil_date(day + length - 1);
      ASSERT_TRUE(first.year == year && first.month == month && first.day == 1) << year;
      ASSERT_TRUE(last.year == year && last.month == month && last.day == length) << year;
      day += length;
    }
  }
  EXPECT_EQ(day, query::kLastDay + 1);
}

// Whether every value of an expression is within its claimed bounds, and some value comes near
// them. Checks all operands, and rejects claims that are too narrow.
bool claims_hold(const ExpressionPtr& expression, std::int64_t narrowed) {
  std::vector<Row> rows;
  for (std::int64_t n = -7; n <= 7; ++n) {
    for (std::int64_t y = 0; y < 3; ++y) rows.push_back({n, 0, n & 1, 0, y});
  }
  const Result result = values(expression, rows);
  auto [lower, upper] = *result.type.wholes;
  bool holds = true;
  for (const std::int64_t value : result.cells.wholes) {
    holds = holds && value >= lower + narrowed && value <= upper - narrowed;
  }
  return holds;
}

TEST(Expressions, BoundsHoldAndAreTightForWholeNumbers) {
  const ExpressionPtr year = column_named("y");
  const std::vector<ExpressionPtr> all{call("+", {kN, year}),
                                       call("-", {kN, year}),
                                       call("-", {kN}),
                                       call("*", {kN, kN}),
                                       call("*", {kN, year}),
                                       call("%/%", {kN, written_whole(-2)}),
                                       call("%%", {kN, written_whole(5)}),
                                       call("%%", {kN, written_whole(-5)}),
                                       call("%%", {year, written_whole(10000)}),
                                       call("abs", {kN}),
                                       call("pmin", {kN, written_whole(3)}),
                                       call("pmax", {kN, year}),
                                       call("if_else", {kF, kN, year})};
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_TRUE(claims_hold(all[i], 0)) << i;
    EXPECT_FALSE(claims_hold(all[i], 1)) << i;
  }
}

TEST(Expressions, WholeLiteralsKeepWholeNumbersWhole) {
  const Field decade =
      query::type_of(*call("*", {call("%/%", {kN, written(10.0)}), written(10.0)}), fields());
  EXPECT_EQ(decade.type, FieldType::integer);
  EXPECT_EQ(decade.wholes, (std::pair<std::int64_t, std::int64_t>{-10, 0}));
  EXPECT_EQ(query::type_of(*call("*", {kN, written(0.5)}), fields()).type, FieldType::real);
}

TEST(Expressions, AnEndThatOneOperandKnowsIsKnown) {
  const ExpressionPtr unknown = column_named("u");
  EXPECT_FALSE(query::is_bounded(query::type_of(*unknown, fields())));
  const ExpressionPtr half = call("pmin", {unknown, written_whole(9)});
  EXPECT_FALSE(query::is_bounded(query::type_of(*half, fields())));
  const Field both = query::type_of(*call("pmax", {half, written_whole(2)}), fields());
  EXPECT_EQ(both.wholes, (std::pair<std::int64_t, std::int64_t>{2, 9}));
}

TEST(Expressions, WhatIsNotAllowedIsRefusedByName) {
  const auto refused = [](ErrorKind kind, const ExpressionPtr& expression) {
    return expect_error(kind, [&] { query::type_of(*expression, fields()); });
  };
  EXPECT_NE(refused(ErrorKind::unsupported, call("^", {kX, kN})).find("`^`"), std::string::npos);
  refused(ErrorKind::unsupported, call("paste", {kX}));
  refused(ErrorKind::unsupported, call("+", {kX, column_named("t")}));
  refused(ErrorKind::unsupported, call("<", {column_named("w"), written_text("B")}));
  refused(ErrorKind::unsupported, call("%%", {kN, kN}));
  refused(ErrorKind::unsupported, call("%/%", {kN, written_whole(0)}));
  refused(ErrorKind::unsupported, call("%%", {kX, written_whole(2)}));
  refused(ErrorKind::unsupported, call("&", {kN, kF}));
  refused(ErrorKind::unsupported, call("year", {kN}));
  refused(ErrorKind::unsupported, call("cut", {kX, written_whole(1), written_whole(1)}));
  refused(ErrorKind::unsupported, call("==", {column_named("d"), written_text("2020-01-01")}));
  refused(ErrorKind::unsupported, call("if_else", {kF, kN}));
  refused(ErrorKind::unsupported, call("*", {call("*", {kX, written(1e299)}), written(1e299)}));
  const ExpressionPtr large = written_whole(std::int64_t{1} << 61);
  refused(ErrorKind::unsupported, call("+", {large, call("+", {large, written_whole(1)})}));
  refused(ErrorKind::domain, call("+", {column_named("u"), written_whole(1)}));
  const std::string sentence = refused(ErrorKind::domain, column_named("zip"));
  EXPECT_NE(sentence.find("zip"), std::string::npos);
}

}  // namespace
}  // namespace dp::test::typing_test
