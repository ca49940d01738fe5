#include <gtest/gtest.h>

#include "core/expressions/calendar.h"
#include "core/expressions/evaluate.h"
#include "core/expressions/typing.h"
#include "query/query_tables.h"
#include "support/expect_error.h"

namespace dp::test::dates_test {
namespace {

using query::CivilDate;
using query::ExpressionPtr;
using query::Field;
using query::FieldType;
using query::kFirstDay;
using query::kLastDay;
using query::kNone;
using query::Period;
using Wholes = std::vector<std::int64_t>;

// d: bounded dates; e: unbounded dates; n: integers; x: reals.
std::vector<Field> fields(std::int64_t lower, std::int64_t upper) {
  Field known = plain_field("d", FieldType::date);
  known.wholes = {lower, upper};
  return {known, plain_field("e", FieldType::date), whole_field("n", -9, 9), real_field("x", 0, 1)};
}

struct Result {
  Wholes wholes;
  Field type;
};

// Evaluates on days in columns `d` and `e`, with n = 2.
Result of_days(const ExpressionPtr& expression, const Wholes& days) {
  query::TextPool texts;
  query::RowBatch batch;
  batch.size = days.size();
  batch.columns.resize(4);
  batch.columns[0].wholes = days;
  batch.columns[1].wholes = days;
  batch.columns[2].wholes.assign(days.size(), 2);
  batch.columns[3].reals.assign(days.size(), 0.5);
  const auto bound = query::bind_expression(*expression, fields(kFirstDay, kLastDay), texts);
  query::Cells room;
  return {query::evaluate(*bound, batch, room).wholes, bound->type};
}

const ExpressionPtr kD = column_named("d");
const ExpressionPtr kE = column_named("e");

Field type_within(const ExpressionPtr& expression, std::int64_t lower, std::int64_t upper) {
  return query::type_of(*expression, fields(lower, upper));
}

// Reference calendar that counts days one by one from Monday 0001-01-01.
struct Walk {
  std::int64_t day = kFirstDay, year = 1, month = 1, of_month = 1, of_year = 1, of_week = 1;

  bool leap() const { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }
  std::int64_t length() const {
    return month == 2                                              ? (leap() ? 29 : 28)
           : month == 4 || month == 6 || month == 9 || month == 11 ? 30
                                                                   : 31;
  }
  void step() {
    ++day;
    ++of_year;
    of_week = of_week % 7 + 1;
    if (++of_month <= length()) return;
    of_month = 1;
    if (++month <= 12) return;
    month = of_year = 1;
    ++year;
  }
};

TEST(Dates, CalendarIsThatOfDaysCountedOneByOne) {
  std::int64_t firsts[13] = {};  // first days of the last periods, by months
  std::int64_t wrong = 0;
  for (Walk at; at.day <= kLastDay; at.step()) {
    const CivilDate date = query::civil_date(at.day);
    wrong += date.year != at.year || date.month != at.month || date.day != at.of_month;
    wrong += query::day_of(date) != at.day;
    wrong += query::day_of_year(at.day) != at.of_year;
    for (std::int64_t start = 1; start <= 7; ++start) {
      const std::int64_t in_week = (at.of_week - start + 7) % 7 + 1;
      wrong += query::day_of_week(at.day, start) != in_week;
      wrong += query::first_day({0, start}, at.day) != at.day - in_week + 1;
    }
    for (const std::int64_t months : {1, 2, 3, 6, 12}) {
      if (at.of_month == 1 && (at.month - 1) % months == 0) {
        if (at.day > kFirstDay) {
          wrong += query::next_first_day({months, 0}, firsts[months]) != at.day;
        }
        firsts[months] = at.day;
      }
      wrong += query::first_day({months, 0}, at.day) != firsts[months];
    }
  }
  EXPECT_EQ(wrong, 0);
}

TEST(Dates, WeeksOfYearsAreThoseOfTheStandard) {
  // 2004-12-31, 2005-01-01 to -03, 2008-12-29, 2009-12-31, 2010-01-03, 1969-12-29.
  const Wholes days{12783, 12784, 12785, 12786, 14242, 14609, 14612, -3};
  EXPECT_EQ(of_days(call("isoweek", {kD}), days).wholes, (Wholes{53, 53, 53, 1, 1, 53, 53, 1}));
  EXPECT_EQ(of_days(call("isoyear", {kD}), days).wholes,
            (Wholes{2004, 2004, 2004, 2005, 2009, 2009, 2009, 1970}));
  EXPECT_EQ(of_days(call("week", {kD}), days).wholes, (Wholes{53, 1, 1, 1, 52, 53, 1, 52}));
  EXPECT_EQ(of_days(call("quarter", {kD}), days).wholes, (Wholes{4, 1, 1, 1, 4, 4, 1, 4}));
}

TEST(Dates, WhatIsBeyondTheYearsOfAllEnginesHasNoValue) {
  const Wholes days{kFirstDay - 1, kFirstDay, kLastDay, kLastDay + 1, kNone};
  for (const char* const op : {"yday", "quarter", "week", "isoweek", "isoyear"}) {
    const Wholes found = of_days(call(op, {kE}), days).wholes;
    EXPECT_EQ(found[0], kNone) << op;
    EXPECT_NE(found[1], kNone) << op;
    EXPECT_NE(found[2], kNone) << op;
    EXPECT_EQ(found[3], kNone) << op;
    EXPECT_EQ(found[4], kNone) << op;
  }
  // The week of Monday 0001-01-01 starts on the Sunday before it.
  const auto weeks = [](std::int64_t start) {
    return call("floor_date", {kD, written_text("week"), written_whole(start)});
  };
  const Result sundays = of_days(weeks(7), {kFirstDay, kFirstDay + 6});
  EXPECT_EQ(sundays.wholes, (Wholes{kNone, kFirstDay + 6}));
  EXPECT_TRUE(sundays.type.may_be_missing);
}

TEST(Dates, DifferencesHaveTheBoundsOfBothDates) {
  const Field days = type_within(call("-", {kD, kD}), 10, 30);
  EXPECT_EQ(days.type, FieldType::integer);
  EXPECT_EQ(days.wholes, (std::pair<std::int64_t, std::int64_t>{-20, 20}));
  const Field moved = type_within(call("+", {written_whole(3), kD}), 10, 30);
  EXPECT_EQ(moved.type, FieldType::date);
  EXPECT_EQ(moved.wholes, (std::pair<std::int64_t, std::int64_t>{13, 33}));
  const Field back = type_within(call("-", {kD, column_named("n")}), 10, 30);
  EXPECT_EQ(back.wholes, (std::pair<std::int64_t, std::int64_t>{1, 39}));
  EXPECT_EQ(of_days(call("as.integer", {kD}), {5, kNone}).wholes, (Wholes{5, kNone}));
}

TEST(Dates, WhatIsNoDateOrDayIsRefused) {
  const auto refused = [](ErrorKind kind, const ExpressionPtr& expression) {
    expect_error(kind, [&] { type_within(expression, 10, 30); });
  };
  refused(ErrorKind::unsupported, call("+", {kD, kD}));
  refused(ErrorKind::unsupported, call("-", {written_whole(3), kD}));
  refused(ErrorKind::unsupported, call("+", {kD, column_named("x")}));
  refused(ErrorKind::unsupported, call("+", {kD, written_whole(kLastDay)}));
  refused(ErrorKind::domain, call("-", {kD, kE}));
  refused(ErrorKind::unsupported, call("*", {kD, written_whole(2)}));
  refused(ErrorKind::unsupported, call("floor_date", {kD, written_text("fortnight")}));
  refused(ErrorKind::unsupported, call("floor_date", {kD, written_text("week")}));
  refused(ErrorKind::unsupported, call("wday", {kD, written_whole(8)}));
  refused(ErrorKind::unsupported, call("isoweek", {column_named("n")}));
  refused(ErrorKind::unsupported, call("as.integer", {column_named("x")}));
}

}  // namespace
}  // namespace dp::test::dates_test
