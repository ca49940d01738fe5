#include <algorithm>
#include <map>
#include <utility>

#include "core/expressions/calendar.h"
#include "core/expressions/intervals.h"
#include "core/expressions/operators.h"
#include "core/expressions/row_batch.h"
#include "core/expressions/typing.h"

namespace dp::query {
namespace {

bool is_date(const BoundPtr& operand) { return operand->type.type == FieldType::date; }

const BoundPtr& date_of(const Operands& of) {
  if (!is_date(of.args[0])) refuse_operand(of.op, "dates", of.args[0]->type);
  return of.args[0];
}

BoundPtr constant(std::int64_t value, TextPool& texts) {
  Literal literal;
  literal.value = value;
  return bind_literal(literal, texts);
}

// Whether all values are in the range of dates of all engines.
bool is_known(const Field& date) {
  return date.wholes && date.wholes->first >= kFirstDay && date.wholes->second <= kLastDay;
}

// A function of a date, with values from `lower` to `upper`.
std::shared_ptr<Bound> part_of(Operator op,
                               const BoundPtr& date,
                               std::int64_t lower,
                               std::int64_t upper) {
  auto bound = std::make_shared<Bound>();
  bound->op = op;
  bound->type = field_of(FieldType::integer, date->type.may_be_missing || !is_known(date->type));
  bound->type.wholes = {lower, upper};
  bound->args = {date};
  return bound;
}

BoundPtr first_days(const BoundPtr& date, const Period& period) {
  const bool known = is_known(date->type);
  const std::int64_t lower = first_day(period, known ? date->type.wholes->first : kFirstDay);
  const std::int64_t upper = first_day(period, known ? date->type.wholes->second : kLastDay);
  auto bound = std::make_shared<Bound>();
  bound->op = Operator::first_day;
  bound->type = field_of(FieldType::date, date->type.may_be_missing || !known || lower < kFirstDay);
  if (known) {
    bound->type.wholes = {lower < kFirstDay ? next_first_day(period, lower) : lower,
                          upper < kFirstDay ? kFirstDay : upper};
    bound->type.wholes->second = std::max(bound->type.wholes->first, bound->type.wholes->second);
  }
  bound->type.period = period;
  bound->args = {date};
  bound->wholes = {period.months, period.week_start};
  return bound;
}

// Number of the week whose first day is day 1, 8, 15, ... of the year.
BoundPtr sevenths_of_year(const BoundPtr& date, TextPool& texts) {
  const std::string op = "+";
  const BoundPtr day = part_of(Operator::day_of_year, date, 1, 366);
  const BoundPtr before = arithmetic({op, {day, constant(6, texts)}, texts}, Operator::add);
  return arithmetic({op, {before, constant(7, texts)}, texts}, Operator::floor_divide);
}

// The Thursday of a date's Monday-to-Sunday week, which is in the ISO year of the week.
BoundPtr thursday_of(const Operands& of) {
  const BoundPtr monday = first_days(date_of(of), {0, 1});
  auto thursday = std::make_shared<Bound>();
  thursday->op = Operator::add;
  thursday->type = monday->type;
  thursday->type.period.reset();
  if (monday->type.wholes) {
    thursday->type.wholes = {monday->type.wholes->first + 3, monday->type.wholes->second + 3};
  }
  thursday->args = {monday, constant(3, of.texts)};
  return thursday;
}

BoundPtr year_of(const BoundPtr& date) {
  const bool known = is_known(date->type);
  return part_of(Operator::year,
                 date,
                 known ? civil_date(date->type.wholes->first).year : 1,
                 known ? civil_date(date->type.wholes->second).year : 9999);
}

// A day of the week, from 1 (Monday) to 7.
std::int64_t week_start_of(const Operands& of, std::size_t i) {
  const Bound& start = *of.args[i];
  double day = 0;
  if (start.op == Operator::literal && is_number(start.type) && !is_untyped(of.args[i])) {
    day = in_reals(start.type) ? start.reals[0] : static_cast<double>(start.wholes[0]);
  }
  if (!(day >= 1 && day <= 7 && day == static_cast<double>(static_cast<int>(day)))) {
    refuse_expression("the start of a week in `" + of.op +
                      "` must be a constant from 1 (Monday) to 7 (Sunday).");
  }
  return static_cast<std::int64_t>(day);
}

}  // namespace

bool has_date(const Operands& of) {
  for (const BoundPtr& arg : of.args) {
    if (is_date(arg)) return true;
  }
  return false;
}

// The difference of two dates is in days, and a date moves by whole days.
BoundPtr date_arithmetic(const Operands& of, Operator op) {
  std::vector<BoundPtr> args = of.args;
  const bool differs = op == Operator::subtract && is_date(args[0]) && is_date(args[1]);
  if (!differs) {
    const std::size_t moved = is_date(args[0]) ? 0 : 1;
    BoundPtr& by = args[1 - moved];
    if (is_date(by) || (op == Operator::subtract && moved == 1)) {
      refuse_expression("`" + of.op +
                        "` cannot combine these operands. Subtract a date from a date, or add " +
                        "whole days to a date.");
    }
    by = promoted(of.op, {by, constant(0, of.texts)}, Meeting::numbers, of.texts)[0];
    if (in_reals(by->type)) {
      refuse_expression("`" + of.op +
                        "` moves a date by whole days. Round the days with `floor()`.");
    }
  }
  Field type = arithmetic_type(of.op, op, args);
  if (!differs) {
    if (type.wholes->first < kFirstDay || type.wholes->second > kLastDay) {
      refuse_expression("the result of `" + of.op +
                        "` can be outside the years 1 to 9999. Narrow the bounds of its operands.");
    }
    type.type = FieldType::date;
  }
  return made(op, std::move(type), std::move(args));
}

BoundPtr date_part(const Operands& of, Operator op) {
  const BoundPtr& date = date_of(of);
  if (op == Operator::year) return year_of(date);
  return part_of(op, date, 1, op == Operator::month ? 12 : op == Operator::day ? 31 : 366);
}

BoundPtr quarter(const Operands& of) {
  const BoundPtr month = part_of(Operator::month, date_of(of), 1, 12);
  const BoundPtr before =
      arithmetic({of.op, {month, constant(2, of.texts)}, of.texts}, Operator::add);
  return arithmetic({of.op, {before, constant(3, of.texts)}, of.texts}, Operator::floor_divide);
}

BoundPtr weekday(const Operands& of) {
  const std::shared_ptr<Bound> day = part_of(Operator::day_of_week, date_of(of), 1, 7);
  day->wholes = {week_start_of(of, 1)};
  return day;
}

BoundPtr week_of_year(const Operands& of) { return sevenths_of_year(date_of(of), of.texts); }

BoundPtr iso_week(const Operands& of) { return sevenths_of_year(thursday_of(of), of.texts); }

BoundPtr iso_year(const Operands& of) { return year_of(thursday_of(of)); }

BoundPtr floored_date(const Operands& of) {
  static const std::map<std::string, std::int64_t> kMonths{
      {"month", 1}, {"bimonth", 2}, {"quarter", 3}, {"halfyear", 6}, {"year", 12}};
  const BoundPtr& date = date_of(of);
  const Bound& unit = *of.args[1];
  if (unit.op == Operator::literal && unit.type.type == FieldType::text) {
    const std::string name(of.texts.text(unit.wholes[0]));
    const auto months = kMonths.find(name);
    if (name == "day" && of.args.size() == 2) return date;
    if (months != kMonths.end() && of.args.size() == 2)
      return first_days(date, {months->second, 0});
    if (name == "week" && of.args.size() == 3) return first_days(date, {0, week_start_of(of, 2)});
  }
  refuse_expression("`" + of.op + "` takes the units day, week with its start, month, bimonth, " +
                    "quarter, halfyear and year.");
}

BoundPtr as_numeric(const Operands& of) {
  const BoundPtr& value = of.args[0];
  if (!is_date(value)) {
    if (!is_untyped(value) && !is_number(value->type)) {
      refuse_operand(of.op,
                     "numbers and dates",
                     value->type,
                     "Declare the column with `dp_int()`, `dp_num()`, or levels that are whole "
                     "numbers, such as `dp_levels(1, 2)`.");
    }
    return in_one_type(of, Meeting::numbers)[0];
  }
  Literal first;
  first.value = std::int64_t{0};
  first.is_date = true;
  return date_arithmetic({of.op, {value, bind_literal(first, of.texts)}, of.texts},
                         Operator::subtract);
}

BoundPtr as_whole(const Operands& of) {
  const BoundPtr value = as_numeric(of);
  if (!in_reals(value->type)) return value;
  refuse_operand(of.op,
                 "whole numbers, dates and logicals",
                 value->type,
                 "Write `floor()`, `trunc()` or `round()`, which give whole numbers.");
}

}  // namespace dp::query
