#include <algorithm>
#include <cstdio>
#include <limits>
#include <set>
#include <utility>

#include "core/expressions/intervals.h"
#include "core/expressions/operators.h"
#include "core/expressions/row_batch.h"
#include "core/expressions/steps.h"
#include "core/expressions/typing.h"

namespace dp::query {
namespace {

// A result can have a bound that only one operand has: the minimum of x and 5 is at most 5.
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

template <class T>
void bound_magnitude(std::optional<std::pair<T, T>>& range) {
  if (!range) return;
  const auto [lower, upper] = *range;
  const T most = std::max(lower < 0 ? -lower : lower, upper < 0 ? -upper : upper);
  const T least = lower > 0 ? lower : upper < 0 ? -upper : 0;
  range = {least, most};
}

// R's labels: the fewest significant digits, from 3, that make all of them differ.
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

}  // namespace

BoundPtr extreme(const Operands& of, Operator op) {
  const auto args = in_one_type(of, Meeting::values);
  Field type = args[0]->type;
  const bool ordered = is_number(type) || type.type == FieldType::date;
  if (!ordered || type.type == FieldType::levels) {
    refuse_operand(of.op, "numbers or dates", type);
  }
  type.name.clear();
  type.missing = {};
  for (const BoundPtr& arg : args) {
    if (arg->type.period != type.period) type.period.reset();
    type.steps = united(type.steps, arg->type.steps);
    bound_extreme(type.wholes, arg->type.wholes, op == Operator::least);
    bound_extreme(type.reals, arg->type.reals, op == Operator::least);
  }
  type.may_be_missing = any_missing(args);
  return made(op, std::move(type), args);
}

BoundPtr magnitude(const Operands& of) {
  const auto args = in_one_type(of, Meeting::numbers);
  Field type = args[0]->type;
  type.name.clear();
  type.missing = {};
  bound_magnitude(type.wholes);
  type.steps = united(type.steps, negated(type.steps));
  bound_magnitude(type.reals);
  return made(Operator::magnitude, std::move(type), args);
}

BoundPtr arithmetic(const Operands& of, Operator op) {
  const bool moves = op == Operator::add || op == Operator::subtract;
  if (moves && has_date(of)) return date_arithmetic(of, op);
  auto args = in_one_type(of, Meeting::numbers);
  if (args[0]->type.type == FieldType::logical) {  // only missing literals
    args = promoted(of.op, {args.size(), args[0]}, Meeting::numbers, of.texts);
  }
  const bool whole_only = op == Operator::floor_divide || op == Operator::modulo;
  if (whole_only && in_reals(args[0]->type)) {
    const bool quotient = op == Operator::floor_divide;
    const auto real = std::find_if(of.args.begin(), of.args.end(), [](const BoundPtr& arg) {
      return in_reals(arg->type) && arg->op != Operator::literal;
    });
    refuse_operand(of.op,
                   "whole numbers",
                   real == of.args.end() ? args[0]->type : (*real)->type,
                   quotient ? "Write `floor(x / y)`." : "Write `x - y * floor(x / y)`.");
  }
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

std::vector<BoundPtr> as_reals(const Operands& of) {
  auto args = in_one_type(of, Meeting::numbers);
  if (in_reals(args[0]->type)) return args;
  Literal half;
  half.value = 0.5;  // a number that makes reals of the others
  args.push_back(bind_literal(half, of.texts));
  args = promoted(of.op, args, Meeting::numbers, of.texts);
  args.pop_back();
  return args;
}

// A quotient of whole numbers is real.
BoundPtr division(const Operands& of) {
  auto args = as_reals(of);
  return made(Operator::divide, arithmetic_type(of.op, Operator::divide, args), args);
}

BoundPtr cut_at(const Operands& of) {
  std::vector<BoundPtr> args = division({of.op, {of.args[0], of.args[0]}, of.texts})->args;
  auto bound = std::make_shared<Bound>();
  bound->op = Operator::cut;
  bound->args = {args[0]};
  for (std::size_t i = 1; i < of.args.size(); ++i) {
    const Bound& at = *of.args[i];
    const bool number = at.op == Operator::literal && is_number(at.type) && !is_untyped(of.args[i]);
    if (!number) refuse_expression("`cut` needs breaks that are constant numbers.");
    bound->reals.push_back(in_reals(at.type) ? at.reals[0] : static_cast<double>(at.wholes[0]));
    const std::size_t n = bound->reals.size();
    if (n > 1 && !(bound->reals[n - 2] < bound->reals[n - 1])) {
      refuse_expression("the breaks of `cut` must increase.");
    }
  }
  bound->type = field_of(FieldType::levels, true);
  bound->type.levels = interval_labels(bound->reals);
  bound->type.wholes = {0, static_cast<std::int64_t>(bound->type.levels.size()) - 1};
  return bound;
}

}  // namespace dp::query
