#include "core/query/typing.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/query/calendar.h"
#include "core/query/intervals.h"
#include "core/query/promote.h"
#include "core/query/row_batch.h"

namespace dp::query {
namespace {

[[noreturn]] void refuse(const std::string& sentence) {
  throw Error(ErrorKind::unsupported, sentence);
}

// What is bound, and the texts it knows.
struct Operands {
  const std::string& op;
  std::vector<BoundPtr> args;
  TextPool& texts;
};

BoundPtr made(Operator op, Field type, std::vector<BoundPtr> args) {
  auto bound = std::make_shared<Bound>();
  bound->op = op;
  bound->type = std::move(type);
  bound->args = std::move(args);
  return bound;
}

bool any_missing(const std::vector<BoundPtr>& args) {
  return std::any_of(
      args.begin(), args.end(), [](const BoundPtr& arg) { return arg->type.may_be_missing; });
}

std::vector<BoundPtr> all_typed(const Operands& of, Meeting meeting) {
  if (std::all_of(of.args.begin(), of.args.end(), is_untyped)) {
    return {of.args.size(), as_logical(of.op, of.args[0])};
  }
  return promoted(of.op, of.args, meeting, of.texts);
}

BoundPtr equality(const Operands& of, Operator op) {
  const auto args = all_typed(of, Meeting::values);
  return made(op, logical_field(any_missing(args)), args);
}

// Levels have no order, but those that are whole numbers.
BoundPtr comparison(const Operands& of, Operator op, bool swapped) {
  for (const BoundPtr& arg : of.args) {
    if (arg->type.type == FieldType::levels && !arg->type.whole_levels) {
      refuse_operand(of.op, "values in order", arg->type);
    }
  }
  auto args = all_typed(of, Meeting::values);
  if (args[0]->type.type == FieldType::levels) {
    for (BoundPtr& arg : args) arg = wholes_of_levels(arg);
  }
  if (swapped) std::swap(args[0], args[1]);
  auto bound = std::make_shared<Bound>();
  bound->op = op;
  bound->type = logical_field(any_missing(args));
  if (args[0]->type.type == FieldType::text) bound->texts = &of.texts;
  bound->args = std::move(args);
  return bound;
}

BoundPtr logical_operation(const Operands& of, Operator op) {
  std::vector<BoundPtr> args;
  for (const BoundPtr& arg : of.args) args.push_back(as_logical(of.op, arg));
  return made(op, logical_field(any_missing(args)), args);
}

BoundPtr between(const Operands& of) {
  const Operands above{of.op, {of.args[1], of.args[0]}, of.texts};
  const Operands below{of.op, {of.args[0], of.args[2]}, of.texts};
  const BoundPtr lower = comparison(above, Operator::less_equal, false);
  const BoundPtr upper = comparison(below, Operator::less_equal, false);
  return made(Operator::both, logical_field(any_missing({lower, upper})), {lower, upper});
}

BoundPtr missingness(const Operands& of) {
  return made(Operator::is_missing, logical_field(false), of.args);
}

// The values' common type, and the bounds of all.
Field union_of(const std::vector<BoundPtr>& values) {
  Field type = values[0]->type;
  type.name.clear();
  type.missing = {};
  for (const BoundPtr& value : values) widen(type, value->type);
  type.may_be_missing = any_missing(values);
  return type;
}

BoundPtr coalesced(const Operands& of) {
  const auto args = all_typed(of, Meeting::values);
  Field type = union_of(args);
  type.may_be_missing = std::all_of(
      args.begin(), args.end(), [](const BoundPtr& arg) { return arg->type.may_be_missing; });
  return made(Operator::coalesce, std::move(type), args);
}

// Conditions and values in turns, then, of case_when(), the default.
BoundPtr choice(const Operands& of, Operator op) {
  const bool is_if = op == Operator::if_else;
  if (!is_if && of.args.size() % 2 == 0) refuse("`case_when` needs a default as its last argument.");
  std::vector<BoundPtr> conditions, values;
  for (std::size_t i = 0; i < of.args.size(); ++i) {
    const bool is_condition = is_if ? i == 0 : i % 2 == 0 && i + 1 < of.args.size();
    (is_condition ? conditions : values).push_back(of.args[i]);
  }
  values = all_typed({of.op, values, of.texts}, Meeting::values);
  for (BoundPtr& condition : conditions) condition = as_logical(of.op, condition);
  Field type = union_of(values);
  if (is_if && conditions[0]->type.may_be_missing) type.may_be_missing = true;
  std::vector<BoundPtr> args = conditions;
  args.insert(args.end(), values.begin(), values.end());
  return made(op, std::move(type), args);
}

BoundPtr membership_in(const Operands& of) {
  const auto args = all_typed(of, Meeting::values);
  auto bound = std::make_shared<Bound>();
  bound->op = Operator::is_in;
  bound->type = logical_field(false);
  for (std::size_t i = 1; i < of.args.size(); ++i) {
    if (of.args[i]->op != Operator::literal) refuse("`%in%` takes values that are written out.");
    if (is_untyped(of.args[i])) {
      bound->takes_missing = true;
    } else if (in_reals(args[0]->type)) {
      bound->reals.push_back(args[i]->reals[0]);
    } else {
      bound->wholes.push_back(args[i]->wholes[0]);
    }
  }
  std::sort(bound->wholes.begin(), bound->wholes.end());
  std::sort(bound->reals.begin(), bound->reals.end());
  bound->args = {args[0]};
  return bound;
}

// An end that only one operand knows is known: the least of x and 5 is at most 5.
template <class T>
std::pair<T, T> range_or(const std::optional<std::pair<T, T>>& range) {
  constexpr T kMost = std::numeric_limits<T>::max();
  return range.value_or(std::pair<T, T>{-kMost, kMost});
}

template <class T>
void bound_extreme(std::optional<std::pair<T, T>>& a,
                   const std::optional<std::pair<T, T>>& b,
                   bool least) {
  if (!a && !b) return;
  const auto [lower, upper] = range_or(a);
  const auto [other_lower, other_upper] = range_or(b);
  a = least ? std::pair<T, T>{std::min(lower, other_lower), std::min(upper, other_upper)}
            : std::pair<T, T>{std::max(lower, other_lower), std::max(upper, other_upper)};
}

BoundPtr extreme(const Operands& of, Operator op) {
  const auto args = all_typed(of, Meeting::values);
  Field type = args[0]->type;
  const bool ordered = is_number(type) || type.type == FieldType::date;
  if (!ordered || type.type == FieldType::levels) {
    refuse_operand(of.op, "numbers or dates", type);
  }
  type.name.clear();
  type.missing = {};
  for (const BoundPtr& arg : args) {
    bound_extreme(type.wholes, arg->type.wholes, op == Operator::least);
    bound_extreme(type.reals, arg->type.reals, op == Operator::least);
  }
  type.may_be_missing = any_missing(args);
  return made(op, std::move(type), args);
}

template <class T>
void bound_magnitude(std::optional<std::pair<T, T>>& range) {
  if (!range) return;
  const auto [lower, upper] = *range;
  const T most = std::max(lower < 0 ? -lower : lower, upper < 0 ? -upper : upper);
  const T least = lower > 0 ? lower : upper < 0 ? -upper : 0;
  range = {least, most};
}

BoundPtr magnitude(const Operands& of) {
  const auto args = all_typed(of, Meeting::numbers);
  Field type = args[0]->type;
  type.name.clear();
  type.missing = {};
  bound_magnitude(type.wholes);
  bound_magnitude(type.reals);
  return made(Operator::magnitude, std::move(type), args);
}

BoundPtr arithmetic(const Operands& of, Operator op) {
  auto args = all_typed(of, Meeting::numbers);
  if (args[0]->type.type == FieldType::logical) {  // of missing literals alone
    args = promoted(of.op, {args.size(), args[0]}, Meeting::numbers, of.texts);
  }
  const bool whole_only = op == Operator::floor_divide || op == Operator::modulo;
  if (whole_only && in_reals(args[0]->type)) refuse_operand(of.op, "integers", args[0]->type);
  return made(op, arithmetic_type(of.op, op, args), args);
}

BoundPtr subtraction(const Operands& of) {
  if (of.args.size() == 2) return arithmetic(of, Operator::subtract);
  const BoundPtr negative = arithmetic(of, Operator::minus);
  const Bound& of_literal = *negative->args[0];
  if (of_literal.op != Operator::literal || of_literal.type.may_be_missing) return negative;
  auto literal = std::make_shared<Bound>(of_literal);
  literal->type = negative->type;
  for (std::int64_t& whole : literal->wholes) whole = -whole;
  for (double& real : literal->reals) real = -real;
  return literal;
}

// A quotient of whole numbers is real.
BoundPtr division(const Operands& of) {
  auto args = all_typed(of, Meeting::numbers);
  if (!in_reals(args[0]->type)) {
    Literal one;
    one.value = 0.5;  // a number that makes reals of the others
    args.push_back(bind_literal(one, of.texts));
    args = promoted(of.op, args, Meeting::numbers, of.texts);
    args.pop_back();
  }
  return made(Operator::divide, arithmetic_type(of.op, Operator::divide, args), args);
}

BoundPtr date_part(const Operands& of, Operator op) {
  const BoundPtr& date = of.args[0];
  if (date->type.type != FieldType::date) refuse_operand(of.op, "dates", date->type);
  const bool known = date->type.wholes && date->type.wholes->first >= kFirstDay &&
                     date->type.wholes->second <= kLastDay;
  Field type = field_of(FieldType::integer, date->type.may_be_missing || !known);
  type.wholes = {1, op == Operator::year ? 9999 : op == Operator::month ? 12 : 31};
  if (known && op == Operator::year) {
    type.wholes = {civil_date(date->type.wholes->first).year,
                   civil_date(date->type.wholes->second).year};
  }
  return made(op, std::move(type), {date});
}

// R's labels: as few significant digits, from 3, as make all of them differ.
std::vector<std::string> interval_labels(const std::vector<double>& breaks) {
  for (int digits = 3;; ++digits) {
    std::vector<std::string> ends;
    for (const double at : breaks) {
      char text[64];
      std::snprintf(text, sizeof text, "%.*g", digits, at);
      ends.emplace_back(text);
    }
    if (digits < 17 && std::set<std::string>(ends.begin(), ends.end()).size() < ends.size()) {
      continue;
    }
    std::vector<std::string> labels;
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
      labels.push_back("(" + ends[i] + "," + ends[i + 1] + "]");
    }
    return labels;
  }
}

BoundPtr cut_at(const Operands& of) {
  std::vector<BoundPtr> args = division({of.op, {of.args[0], of.args[0]}, of.texts})->args;
  auto bound = std::make_shared<Bound>();
  bound->op = Operator::cut;
  bound->args = {args[0]};
  for (std::size_t i = 1; i < of.args.size(); ++i) {
    const Bound& at = *of.args[i];
    const bool number = at.op == Operator::literal && is_number(at.type) && !is_untyped(of.args[i]);
    if (!number) refuse("`cut` takes breaks that are written out as numbers.");
    bound->reals.push_back(in_reals(at.type) ? at.reals[0] : static_cast<double>(at.wholes[0]));
    const std::size_t n = bound->reals.size();
    if (n > 1 && !(bound->reals[n - 2] < bound->reals[n - 1])) {
      refuse("the breaks of `cut` must increase.");
    }
  }
  bound->type = field_of(FieldType::levels, true);
  bound->type.levels = interval_labels(bound->reals);
  bound->type.wholes = {0, static_cast<std::int64_t>(bound->type.levels.size()) - 1};
  return bound;
}

struct Rule {
  std::size_t least, most;  // arguments
  std::function<BoundPtr(const Operands&)> bind;
};

constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();

Rule simple(std::size_t count, BoundPtr (*rule)(const Operands&, Operator), Operator op) {
  return {count, count, [=](const Operands& of) { return rule(of, op); }};
}

Rule ordering(Operator op, bool swapped) {
  return {2, 2, [=](const Operands& of) { return comparison(of, op, swapped); }};
}

Rule several(std::size_t least, BoundPtr (*rule)(const Operands&, Operator), Operator op) {
  return {least, kAny, [=](const Operands& of) { return rule(of, op); }};
}

const std::map<std::string, Rule>& rules() {
  static const std::map<std::string, Rule> all{
      {"==", simple(2, equality, Operator::equal)},
      {"!=", simple(2, equality, Operator::unequal)},
      {"<", ordering(Operator::less, false)},
      {"<=", ordering(Operator::less_equal, false)},
      {">", ordering(Operator::less, true)},
      {">=", ordering(Operator::less_equal, true)},
      {"&", simple(2, logical_operation, Operator::both)},
      {"|", simple(2, logical_operation, Operator::either)},
      {"!", simple(1, logical_operation, Operator::negation)},
      {"is.na", {1, 1, missingness}},
      {"coalesce", {1, kAny, coalesced}},
      {"if_else", simple(3, choice, Operator::if_else)},
      {"case_when", several(1, choice, Operator::case_when)},
      {"%in%", {1, kAny, membership_in}},
      {"between", {3, 3, between}},
      {"pmin", several(1, extreme, Operator::least)},
      {"pmax", several(1, extreme, Operator::most)},
      {"abs", {1, 1, magnitude}},
      {"cut", {3, kAny, cut_at}},
      {"year", simple(1, date_part, Operator::year)},
      {"month", simple(1, date_part, Operator::month)},
      {"day", simple(1, date_part, Operator::day)},
      {"+", simple(2, arithmetic, Operator::add)},
      {"-", {1, 2, subtraction}},
      {"*", simple(2, arithmetic, Operator::multiply)},
      {"/", {2, 2, division}},
      {"%/%", simple(2, arithmetic, Operator::floor_divide)},
      {"%%", simple(2, arithmetic, Operator::modulo)}};
  return all;
}

[[noreturn]] void refuse_operator(const std::string& op) {
  static const std::map<std::string, std::string> hints{
      {"exp", "compute it before the data are declared"},
      {"log", "compute it before the data are declared"},
      {"sqrt", "compute it before the data are declared"},
      {"^", "write the product out, as `x * x`"},
      {"as.integer", "declare the column in the type that it has"},
      {"as.numeric", "declare the column in the type that it has"},
      {"as.character", "declare the column in the type that it has"},
      {"round", "use `%/%`, or round before the data are declared"},
      {"ifelse", "use `if_else()`"},
      {"min", "use `pmin()` of a row, or `dp_quantile()` of many"},
      {"max", "use `pmax()` of a row, or `dp_quantile()` of many"},
      {"mean", "use `dp_mean()`"},
      {"sum", "use `dp_sum()`"}};
  const auto hint = hints.find(op);
  std::string sentence = "`" + op + "` is not allowed in a query";
  if (hint != hints.end()) {
    sentence += ": " + hint->second;
  } else {
    sentence += ". Allowed are";
    for (const auto& rule : rules()) {
      sentence += (rule.first == rules().begin()->first ? " " : ", ") + ("`" + rule.first + "`");
    }
  }
  refuse(sentence + ".");
}

BoundPtr bind_call(const Call& call, const std::vector<Field>& fields, TextPool& texts) {
  const auto rule = rules().find(call.op);
  if (rule == rules().end()) refuse_operator(call.op);
  if (call.args.size() < rule->second.least || call.args.size() > rule->second.most) {
    refuse("`" + call.op + "` has " + std::to_string(call.args.size()) +
           (call.args.size() == 1 ? " argument" : " arguments") + ", which is not what it takes.");
  }
  Operands of{call.op, {}, texts};
  for (const ExpressionPtr& arg : call.args) of.args.push_back(bind_expression(*arg, fields, texts));
  return rule->second.bind(of);
}

void add_columns(const Expression& expression, std::vector<std::string>& names) {
  if (const auto* column = std::get_if<ColumnReference>(&expression.node())) {
    names.push_back(column->name);
  } else if (const auto* call = std::get_if<Call>(&expression.node())) {
    for (const ExpressionPtr& arg : call->args) add_columns(*arg, names);
  }
}

}  // namespace

std::size_t place_of(const std::string& name, const std::vector<Field>& fields) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].name == name) return i;
  }
  std::string declared;
  for (const Field& field : fields) declared += (declared.empty() ? "" : ", ") + field.name;
  throw Error(ErrorKind::domain,
              "`" + name + "` is not declared, so it cannot be used. Declared: " + declared + ".");
}

BoundPtr bind_expression(const Expression& expression, const std::vector<Field>& fields, TextPool& texts) {
  if (const auto* column = std::get_if<ColumnReference>(&expression.node())) {
    auto bound = std::make_shared<Bound>();
    bound->op = Operator::column;
    bound->column = place_of(column->name, fields);
    bound->type = fields[bound->column];
    return bound;
  }
  if (const auto* literal = std::get_if<Literal>(&expression.node())) {
    return bind_literal(*literal, texts);
  }
  return bind_call(std::get<Call>(expression.node()), fields, texts);
}

Field type_of(const Expression& expression, const std::vector<Field>& fields) {
  TextPool texts;
  return bind_expression(expression, fields, texts)->type;
}

bool is_bounded(const Field& field) {
  constexpr std::int64_t kWhole = std::int64_t{1} << 62;
  constexpr double kReal = 1e300;
  if (in_reals(field)) {
    return field.reals && field.reals->first > -kReal && field.reals->second < kReal;
  }
  return field.wholes && field.wholes->first >= -kWhole && field.wholes->second <= kWhole;
}

bool is_number(const Field& field) {
  return field.type == FieldType::logical || field.type == FieldType::integer ||
         field.type == FieldType::real || (field.type == FieldType::levels && field.whole_levels);
}

std::string kind_of(const Field& field) {
  switch (field.type) {
    case FieldType::logical:
      return "logicals";
    case FieldType::integer:
      return "integers";
    case FieldType::real:
      return "reals";
    case FieldType::text:
      return "text";
    case FieldType::levels:
      return "levels";
    default:
      return "dates";
  }
}

std::vector<std::string> columns_of(const Expression& expression) {
  std::vector<std::string> names;
  add_columns(expression, names);
  return names;
}

}  // namespace dp::query
