#include "core/expressions/typing.h"

#include <functional>
#include <limits>
#include <map>
#include <utility>

#include "core/error.h"
#include "core/expressions/operators.h"
#include "core/expressions/promote.h"
#include "core/expressions/row_batch.h"

namespace dp::query {
namespace {

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

Rule rounding(Rounding way) {
  return {1, 1, [=](const Operands& of) { return to_whole(of, way); }};
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
      {"level_index", {1, 1, level_index}},
      {"coalesce", {1, kAny, coalesced}},
      {"if_else", {3, 4, [](const Operands& of) { return choice(of, Operator::if_else); }}},
      {"case_when", several(1, choice, Operator::case_when)},
      {"%in%", {1, kAny, membership_in}},
      {"between", {3, 3, between}},
      {"na_if", {2, 3, missing_if}},
      {"pmin", several(1, extreme, Operator::least)},
      {"pmax", several(1, extreme, Operator::most)},
      {"abs", {1, 1, magnitude}},
      {"round", {1, 2, to_digits}},
      {"floor", rounding(Rounding::down)},
      {"ceiling", rounding(Rounding::up)},
      {"trunc", rounding(Rounding::to_zero)},
      {"tolower", {1, 1, [](const Operands& of) { return in_case(of, false); }}},
      {"toupper", {1, 1, [](const Operands& of) { return in_case(of, true); }}},
      {"trimws", {2, 2, trimmed}},
      {"substr", {3, 3, part_of_text}},
      {"cut", {3, kAny, cut_at}},
      {"year", simple(1, date_part, Operator::year)},
      {"month", simple(1, date_part, Operator::month)},
      {"day", simple(1, date_part, Operator::day)},
      {"yday", simple(1, date_part, Operator::day_of_year)},
      {"quarter", {1, 1, quarter}},
      {"wday", {2, 2, weekday}},
      {"week", {1, 1, week_of_year}},
      {"isoweek", {1, 1, iso_week}},
      {"isoyear", {1, 1, iso_year}},
      {"floor_date", {2, 3, floored_date}},
      {"as.integer", {1, 1, as_whole}},
      {"as.numeric", {1, 1, as_numeric}},
      {"+", simple(2, arithmetic, Operator::add)},
      {"-", {1, 2, subtraction}},
      {"*", simple(2, arithmetic, Operator::multiply)},
      {"/", {2, 2, division}},
      {"%/%", simple(2, arithmetic, Operator::floor_divide)},
      {"%%", simple(2, arithmetic, Operator::modulo)}};
  return all;
}

const std::map<std::string, Rule>& rules_of_formulas() {
  static const std::map<std::string, Rule> all{
      {"^", {2, 2, raised}},
      {"log", simple(1, elementary, Operator::logarithm)},
      {"exp", simple(1, elementary, Operator::exponential)},
      {"sqrt", simple(1, elementary, Operator::root)}};
  return all;
}

const std::map<std::string, Rule>& rules_of_queries() {
  static const std::map<std::string, Rule> all{
      {"log", {1, 2, logarithm_on_lattice}},
      {"log1p", simple(1, elementary_on_lattice, Operator::logarithm_of_one_more)},
      {"exp", simple(1, elementary_on_lattice, Operator::exponential)},
      {"sqrt", simple(1, elementary_on_lattice, Operator::root)}};
  return all;
}

const Rule* rule_of(const std::string& op, Language language) {
  const auto shared = rules().find(op);
  if (shared != rules().end()) return &shared->second;
  const auto& more = language == Language::formulas ? rules_of_formulas() : rules_of_queries();
  const auto own = more.find(op);
  return own != more.end() ? &own->second : nullptr;
}

[[noreturn]] void refuse_operator(const std::string& op) {
  static const std::map<std::string, std::string> hints{
      {"^", "write the product out, as `x * x`"},
      {"as.character", "use the column as declared, or declare it with `dp_levels()`"},
      {"ifelse", "use `if_else()`"},
      {"min", "use `pmin()` within a row, or `dp_quantile()` over rows"},
      {"max", "use `pmax()` within a row, or `dp_quantile()` over rows"},
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
  refuse_expression(sentence + ".");
}

std::string arguments_of(const Rule& rule) {
  if (rule.most == kAny) return "at least " + std::to_string(rule.least);
  if (rule.least == rule.most) return std::to_string(rule.least);
  return std::to_string(rule.least) + " or " + std::to_string(rule.most);
}

BoundPtr bind_call(const Call& call,
                   const std::vector<Field>& fields,
                   TextPool& texts,
                   Language language) {
  const Rule* const rule = rule_of(call.op, language);
  if (rule == nullptr) refuse_operator(call.op);
  if (call.args.size() < rule->least || call.args.size() > rule->most) {
    refuse_expression("`" + call.op + "` has " + std::to_string(call.args.size()) +
                      (call.args.size() == 1 ? " argument" : " arguments") + ", but takes " +
                      arguments_of(*rule) + ".");
  }
  Operands of{call.op, {}, texts, language};
  for (const ExpressionPtr& arg : call.args)
    of.args.push_back(bind_expression(*arg, fields, texts, language));
  return rule->bind(of);
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
  for (const Field& field : fields) {
    if (field.name.find('\0') != std::string::npos) continue;  // hidden, see shown_name()
    declared += (declared.empty() ? "" : ", ") + field.name;
  }
  throw Error(ErrorKind::domain,
              "`" + name + "` is not declared, so it cannot be used. Declared: " + declared + ".");
}

bool is_operator_of(const std::string& op, Language language) {
  return rule_of(op, language) != nullptr;
}

BoundPtr bind_expression(const Expression& expression,
                         const std::vector<Field>& fields,
                         TextPool& texts,
                         Language language) {
  if (const auto* column = std::get_if<ColumnReference>(&expression.node())) {
    auto bound = std::make_shared<Bound>();
    bound->op = Operator::column;
    bound->column = place_of(column->name, fields);
    bound->type = fields[bound->column];
    bound->type.places.reset();  // computed values have different places
    return bound;
  }
  if (const auto* literal = std::get_if<Literal>(&expression.node())) {
    return bind_literal(*literal, texts);
  }
  return bind_call(std::get<Call>(expression.node()), fields, texts, language);
}

Field type_of(const Expression& expression, const std::vector<Field>& fields, Language language) {
  if (const auto* column = std::get_if<ColumnReference>(&expression.node())) {
    return fields[place_of(column->name, fields)];
  }
  TextPool texts;
  Field type = bind_expression(expression, fields, texts, language)->type;
  if (language != Language::queries) type.steps.reset();
  return type;
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
      return "whole numbers";
    case FieldType::real:
      return "real numbers";
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
