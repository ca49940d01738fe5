#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/expressions/intervals.h"
#include "core/expressions/operators.h"
#include "core/expressions/row_batch.h"
#include "core/expressions/typing.h"
#include "core/numeric/text.h"

namespace dp::query {
namespace {

bool is_literal_na(const BoundPtr& value) {
  if (value->op != Operator::literal) return false;
  return in_reals(value->type) ? !(value->reals[0] == value->reals[0]) : value->wholes[0] == kNone;
}

// The values' common type, with the union of their bounds. A missing literal has none.
Field union_of(const std::vector<BoundPtr>& values, Language language) {
  const bool skips = language == Language::queries;
  const auto is_held = [=](const BoundPtr& value) { return !skips || !is_literal_na(value); };
  auto first = std::find_if(values.begin(), values.end(), is_held);
  if (first == values.end()) first = values.begin();
  Field type = (*first)->type;
  type.name.clear();
  type.missing = {};
  for (const BoundPtr& value : values) {
    if (is_held(value)) widen(type, value->type);
  }
  type.may_be_missing = any_missing(values);
  return type;
}

// Values to choose from. Literal texts and whole numbers are the complete set of results, so they
// can form groups like declared levels and integers.
std::vector<BoundPtr> as_choices(const Operands& of) {
  if (auto levels = in_common_levels(of.args, of.texts)) return *std::move(levels);
  if (of.language == Language::queries) {
    if (auto wholes = in_common_wholes(of.args)) return *std::move(wholes);
  }
  return in_one_type(of, Meeting::values);
}

}  // namespace

void refuse_expression(const std::string& sentence) {
  throw Error(ErrorKind::unsupported, sentence);
}

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

std::vector<BoundPtr> in_one_type(const Operands& of, Meeting meeting) {
  if (std::all_of(of.args.begin(), of.args.end(), is_untyped)) {
    return {of.args.size(), as_logical(of.op, of.args[0])};
  }
  return promoted(of.op, of.args, meeting, of.texts);
}

BoundPtr equality(const Operands& of, Operator op) {
  const auto args = in_one_type(of, Meeting::values);
  return made(op, logical_field(any_missing(args)), args);
}

// Levels are unordered, except levels that are whole numbers.
BoundPtr comparison(const Operands& of, Operator op, bool swapped) {
  for (const BoundPtr& arg : of.args) {
    if (arg->type.type == FieldType::levels && !arg->type.whole_levels) {
      refuse_operand(of.op,
                     "numbers and dates",
                     arg->type,
                     "Levels have no order: list the wanted ones with `%in%`.");
    }
  }
  auto args = in_one_type(of, Meeting::values);
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

BoundPtr level_index(const Operands& of) {
  if (of.args[0]->type.type != FieldType::levels) {
    refuse_operand(of.op, "levels", of.args[0]->type);
  }
  return indices_of_levels(of.args[0]);
}

BoundPtr coalesced(const Operands& of) {
  const auto args = as_choices(of);
  Field type = union_of(args, of.language);
  type.may_be_missing = std::all_of(
      args.begin(), args.end(), [](const BoundPtr& arg) { return arg->type.may_be_missing; });
  return made(Operator::coalesce, std::move(type), args);
}

// Conditions and values alternate; case_when() then has its default. The fourth argument of
// if_else() is for missing conditions.
BoundPtr choice(const Operands& of, Operator op) {
  const bool is_if = op == Operator::if_else;
  if (!is_if && of.args.size() % 2 == 0)
    refuse_expression("`case_when` needs a default as its last argument. Write `.default = `.");
  std::vector<BoundPtr> conditions, values;
  for (std::size_t i = 0; i < of.args.size(); ++i) {
    const bool is_condition = is_if ? i == 0 : i % 2 == 0 && i + 1 < of.args.size();
    (is_condition ? conditions : values).push_back(of.args[i]);
  }
  values = as_choices({of.op, values, of.texts, of.language});
  for (BoundPtr& condition : conditions) condition = as_logical(of.op, condition);
  Field type = union_of(values, of.language);
  const bool may_lack = is_if && values.size() == 2 && conditions[0]->type.may_be_missing;
  if (may_lack) type.may_be_missing = true;
  std::vector<BoundPtr> args = conditions;
  args.insert(args.end(), values.begin(), values.end());
  return made(op, std::move(type), args);
}

namespace {

// Whether the operand can equal the literal `value`.
bool may_be(const BoundPtr& operand, const BoundPtr& value) {
  if (value->op != Operator::literal || value->type.may_be_missing) return true;
  const Field& type = operand->type;
  if (in_reals(type)) {
    return !type.reals ||
           (value->reals[0] >= type.reals->first && value->reals[0] <= type.reals->second);
  }
  return !type.wholes ||
         (value->wholes[0] >= type.wholes->first && value->wholes[0] <= type.wholes->second);
}

// The constant in a message, or "" if it is of another type.
std::string written_code(const Bound& code, const TextPool& texts) {
  const bool is_written = code.op == Operator::literal && !code.type.may_be_missing;
  if (is_written && code.type.type == FieldType::text) {
    return "\"" + std::string(texts.text(code.wholes[0])) + "\"";
  }
  if (is_written && in_reals(code.type)) return format_number(code.reals[0]);
  if (is_written && code.type.type == FieldType::integer) return std::to_string(code.wholes[0]);
  return "";
}

// Whether the column's declaration has the constant among its codes of missing values.
bool is_declared_code(const Field& of, const Bound& code, const TextPool& texts) {
  const bool is_written = code.op == Operator::literal && !code.type.may_be_missing;
  if (!is_written) return false;
  if (code.type.type == FieldType::text) {
    const std::string text(texts.text(code.wholes[0]));
    return std::find(of.na_texts.begin(), of.na_texts.end(), text) != of.na_texts.end();
  }
  const double number = in_reals(code.type) ? code.reals[0] : static_cast<double>(code.wholes[0]);
  return std::find(of.na.begin(), of.na.end(), number) != of.na.end();
}

[[noreturn]] void refuse_code(const std::string& op,
                              const Field& of,
                              const Bound& code,
                              const TextPool& texts) {
  const std::string written = written_code(code, texts);
  const std::string value = written.empty() ? "this value" : written;
  const std::string column = of.name.empty() ? "its operand" : "`" + shown_name(of.name) + "`";
  if (is_declared_code(of, code, texts)) {
    refuse_expression("`" + op + "` looks for " + value +
                      ", which is missing already: it is in `na`" + " in the declaration of " +
                      column + ". Leave out `" + op + "`.");
  }
  refuse_expression("`" + op + "` looks for " + value + ", but " + column +
                    " is not declared to have it. If it is a code of missing values, declare it: " +
                    "`na = " + written + "`.");
}

}  // namespace

// A value and the compared operand; with only two arguments the value itself is compared.
BoundPtr missing_if(const Operands& of) {
  const std::size_t key = of.args.size() - 2;
  const Operands compared{of.op, {of.args[key], of.args[key + 1]}, of.texts};
  const std::size_t levels = of.args[key]->type.levels.size();
  auto args = as_choices(compared);
  const bool is_new = args[0]->type.levels.size() > levels;
  if (is_new || is_untyped(of.args[key]) || !may_be(args[0], args[1])) {
    refuse_code(of.op, of.args[key]->type, *of.args[key + 1], of.texts);
  }
  if (key == 1) args.insert(args.begin(), of.args[0]);
  Field type = args[0]->type;
  type.name.clear();
  type.missing = {};
  type.may_be_missing = true;
  return made(Operator::none_if, std::move(type), std::move(args));
}

BoundPtr membership_in(const Operands& of) {
  const auto args = in_one_type(of, Meeting::values);
  auto bound = std::make_shared<Bound>();
  bound->op = Operator::is_in;
  bound->type = logical_field(false);
  for (std::size_t i = 1; i < of.args.size(); ++i) {
    if (of.args[i]->op != Operator::literal)
      refuse_expression("`%in%` takes constants. Compare columns with `==`.");
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

}  // namespace dp::query
