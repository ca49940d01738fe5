#include "core/query/lowered.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "core/expressions/promote.h"
#include "core/expressions/typing.h"
#include "core/query/aggregates/aggregate_class.h"
#include "core/query/domains.h"
#include "core/query/same_expression.h"
#include "core/query/schema.h"

namespace dp::query {
namespace {

enum class View : std::uint8_t { key, amount };

ExpressionPtr reference(const std::string& name) {
  return std::make_shared<const Expression>(ColumnReference{name});
}

ExpressionPtr call_of(std::string op, std::vector<ExpressionPtr> args) {
  return std::make_shared<const Expression>(Call{std::move(op), std::move(args)});
}

// Whether values outside of the bounds could differ from values at the bounds.
bool has_two_views(const Field& field) {
  return field.type == FieldType::real
             ? field.reals.has_value()
             : (field.type == FieldType::integer || field.type == FieldType::date) &&
                   field.wholes.has_value();
}

bool is_comparison_of_keys(const std::string& op) {
  return op == "==" || op == "!=" || op == "%in%";
}

bool is_condition(const std::string& op) {
  static const char* const kOperators[] = {"<", "<=", ">", ">=", "&", "|", "!", "is.na", "between"};
  for (const char* const each : kOperators) {
    if (op == each) return true;
  }
  return false;
}

class Lowering {
 public:
  explicit Lowering(Statement statement) : statement_(std::move(statement)) {}

  Statement lower() {
    std::vector<Step> written;
    std::swap(written, statement_.steps);
    lower_columns();
    for (Step& step : written) std::visit([&](auto& one) { lower_step(one); }, step);
    for (Aggregate& each : statement_.aggregates) {
      if (each.weights != nullptr) each.weights = seen_as(View::amount, each.weights);
      if (each.times != nullptr) each.times = seen_as(View::amount, each.times);
      // Missing values can be a cell of a table, so effects read columns as groups do.
      const bool is_effect = each.kind == Aggregate::Kind::effect;
      for (ExpressionPtr& cells : each.cells) {
        if (!is_effect) cells = seen_as(View::key, cells);
      }
      for (ExpressionPtr& column : each.predictors) column = seen_as(View::amount, column);
      if (each.of == nullptr) continue;
      const bool of_keys = row_of(each.kind).reads == Reads::keys;
      each.of = seen_as(of_keys ? View::key : View::amount, each.of);
    }
    return std::move(statement_);
  }

 private:
  // Of a column with the values of `of`, which messages name: see shown_name().
  std::string hidden_name(const std::string& of) {
    return std::string("\0hidden ", 8) + std::to_string(hidden_++) + '\0' + of;
  }

  void lower_columns() {
    std::vector<Field> others;
    std::vector<Step> steps;
    std::vector<std::string> groups;
    for (Field& field : statement_.source.fields) {
      if (field.classes_of) {
        field.classes_of = std::make_shared<const Field>(read_anew(*field.classes_of));
        continue;
      }
      field = read_anew(std::move(field));
      if (field.missing.policy == Missing::Policy::group) groups.push_back(field.name);
      const bool drops_row = field.missing.policy == Missing::Policy::row;
      if (field.missing.policy == Missing::Policy::value) field.fill = field.missing.value;
      if (field.missing.policy != Missing::Policy::midpoint) field.missing = {};
      if (has_two_views(field)) {
        Field amount = field;
        amount.name = hidden_name(field.name);
        amount.column = field.name;
        amount.may_be_missing = !field.fill.has_value();
        amount_of_[field.name] = amount.name;
        keys_are_amounts_ = keys_are_amounts_ && !field.fill;
        field.beyond = Field::Beyond::missing;
        field.missing = {};
        others.push_back(std::move(amount));
      }
      if (field.fill) field.may_be_missing = false;
      if (drops_row) {
        const ExpressionPtr is_missing =
            call_of("is.na", {seen_as(View::amount, reference(field.name))});
        steps.emplace_back(Filter{call_of("!", {is_missing}), true});
      }
    }
    auto& fields = statement_.source.fields;
    fields.insert(fields.end(), others.begin(), others.end());
    fields_ = declared_fields(statement_.source);
    for (Step& step : steps) add(std::move(step));
    for (const std::string& name : groups) {
      if (is_key(field_named(name))) {
        make_group(made_of(name, reference(name)));
      } else {
        grouped_.insert(name);
      }
    }
  }

  static Field read_anew(Field field) {
    field.rounds = field.type == FieldType::integer;
    field.parses = field.type == FieldType::date || field.whole_levels;
    return field;
  }

  void add(Step step) {
    fields_ = fields_after_step(fields_, step);
    statement_.steps.push_back(std::move(step));
  }

  const Field& field_named(const std::string& name) const {
    return fields_[place_of(name, fields_)];
  }

  // Makes the column from its key, with a group for rows without a value. A real column cannot be a
  // group, but columns computed from it can.
  void make_group(Mutate of_key) {
    const std::string name = of_key.name;
    grouped_.insert(name);
    if (!is_key(type_of(*of_key.value, fields_))) {
      add(std::move(of_key));
      return;
    }
    const std::string hidden = hidden_name(name);
    of_key.name = hidden;
    add(std::move(of_key));
    key_of_[name] = hidden;
    const Field field = field_named(hidden);
    const std::int64_t beyond = field.wholes ? field.wholes->second + 1 : kUnboundedMissing;
    const ExpressionPtr value =
        call_of("coalesce", {value_of_group(hidden), missing_of(field, beyond)});
    add(Mutate{name, value, std::make_shared<const Field>(known_group(*value, field, beyond))});
  }

  // It has the values of the key, and `beyond` or the last level for rows without one.
  Field known_group(const Expression& value, const Field& key, std::int64_t beyond) const {
    Field known = type_of(value, fields_);
    known.period = key.period;
    known.steps = key.steps;
    const bool has_levels = known.type == FieldType::levels;
    known.missing_key = has_levels ? static_cast<std::int64_t>(known.levels.size()) - 1 : beyond;
    if (key.places && key.type != FieldType::logical) {
      known.places = key.places;
      known.places->push_back(*known.missing_key);
    }
    return known;
  }

  // Converts a hidden key to the type of its group: logicals and whole-number levels become texts.
  ExpressionPtr value_of_group(const std::string& hidden) {
    Field field = field_named(hidden);
    if (field.type == FieldType::logical) {
      return call_of("if_else", {reference(hidden), text_literal("TRUE"), text_literal("FALSE")});
    }
    if (!field.whole_levels) return reference(hidden);
    field.whole_levels = false;
    const std::string texts = hidden_name(shown_name(hidden));
    add(Mutate{texts, reference(hidden), std::make_shared<const Field>(std::move(field))});
    return reference(texts);
  }

  // The key of rows without a value, in a group whose number for them is `whole`.
  static ExpressionPtr missing_of(const Field& key, std::int64_t whole) {
    const bool is_whole = key.type == FieldType::integer || key.type == FieldType::date;
    if (!is_whole) return text_literal(kMissingLevel);
    return std::make_shared<const Expression>(Literal{whole, key.type == FieldType::date});
  }

  static ExpressionPtr text_literal(const std::string& text) {
    return std::make_shared<const Expression>(Literal{text});
  }

  // Returns the same expression if both views of its columns are equal.
  ExpressionPtr seen_as(View view, const ExpressionPtr& of) const {
    if (const auto* column = std::get_if<ColumnReference>(&of->node())) {
      const auto amount = amount_of_.find(column->name);
      const bool is_amount = view == View::amount && amount != amount_of_.end();
      if (is_amount) return reference(amount->second);
      const auto key = key_of_.find(column->name);
      return key != key_of_.end() ? reference(key->second) : of;
    }
    const auto* call = std::get_if<Call>(&of->node());
    if (call == nullptr) return of;
    if (call->op == "coalesce" && view == View::key) return key_of_coalesce(*call, of);
    if (call->op == "na_if" && view == View::amount) return amount_of_na_if(*call, of);
    std::vector<ExpressionPtr> args;
    bool same = true;
    for (std::size_t i = 0; i < call->args.size(); ++i) {
      args.push_back(seen_as(view_of_arg(*call, i, view), call->args[i]));
      same = same && args.back() == call->args[i];
    }
    return same ? of : call_of(call->op, std::move(args));
  }

  // Conditions have one view, and their operands are amounts.
  static View view_of_arg(const Call& call, std::size_t i, View view) {
    if (is_comparison_of_keys(call.op)) return View::key;
    if (call.op == "cut") return View::key;
    if (is_condition(call.op)) return View::amount;
    const bool is_choice = call.op == "if_else" || call.op == "case_when";
    if (!is_choice) return view;
    const bool is_if = call.op == "if_else";
    const bool is_test = is_if ? i == 0 : i % 2 == 0 && i + 1 < call.args.size();
    return is_test ? View::amount : view;
  }

  // The first operand with a value decides, even if this value is missing as a key.
  ExpressionPtr key_of_coalesce(const Call& call, const ExpressionPtr& of) const {
    std::vector<ExpressionPtr> cases;
    bool same = true;
    for (const ExpressionPtr& arg : call.args) {
      const ExpressionPtr amount = seen_as(View::amount, arg);
      const ExpressionPtr key = seen_as(View::key, arg);
      same = same && amount == key && key == arg;
      if (&arg != &call.args.back()) {
        cases.push_back(call_of("!", {call_of("is.na", {amount})}));
      }
      cases.push_back(key);
    }
    return same ? of : call_of("case_when", std::move(cases));
  }

  // The value is an amount, and the comparison uses keys.
  ExpressionPtr amount_of_na_if(const Call& call, const ExpressionPtr& of) const {
    const ExpressionPtr amount = seen_as(View::amount, call.args[0]);
    const ExpressionPtr key = seen_as(View::key, call.args[0]);
    const ExpressionPtr other = seen_as(View::key, call.args[1]);
    if (key == call.args[0] && other == call.args[1] && is_same(amount, key)) return of;
    if (is_same(amount, key)) return call_of("na_if", {key, other});
    return call_of("na_if", {amount, key, other});
  }

  void lower_step(Filter& step) {
    step.predicate = seen_as(View::amount, step.predicate);
    step.twins = twins();
    for (const auto& [name, hidden] : key_of_) step.twins.push_back({name, hidden, true});
    add(std::move(step));
  }

  std::vector<Twins> twins() const {
    std::vector<Twins> pairs;
    if (!keys_are_amounts_) return pairs;
    for (const auto& [name, hidden] : amount_of_) {
      const auto key = key_of_.find(name);
      pairs.push_back({key != key_of_.end() ? key->second : name, hidden});
    }
    return pairs;
  }

  Mutate made_of(std::string name, ExpressionPtr value) const {
    return {std::move(name), std::move(value), nullptr, true, twins()};
  }

  void lower_step(Mutate& step) {
    const std::string* copied = name_in(*step.value);
    if (copied != nullptr && key_of_.count(*copied) > 0) return lower_copy(step, *copied);
    const ExpressionPtr amount = seen_as(View::amount, step.value);
    const ExpressionPtr key = seen_as(View::key, step.value);
    Mutate of_key = made_of(step.name, key);
    const bool is_group =
        reads_group(*step.value) && domain_of(key, fields_, of_key.twins).may_be_missing;
    std::string hidden;
    if (amount != key && !is_same(amount, key)) {
      hidden = hidden_name(step.name);
      add(made_of(hidden, amount));
    }
    forget(step.name);
    if (!hidden.empty()) amount_of_[step.name] = hidden;
    if (is_group) return make_group(std::move(of_key));
    add(std::move(of_key));
  }

  bool reads_group(const Expression& value) const {
    const std::vector<std::string> names = columns_of(value);
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return grouped_.count(name) > 0;
    });
  }

  // A copy of a group has the group's key.
  void lower_copy(Mutate& step, const std::string& copied) {
    const std::string key = key_of_.at(copied);
    const auto found = amount_of_.find(copied);
    const std::string amount = found != amount_of_.end() ? found->second : "";
    forget(step.name);
    key_of_[step.name] = key;
    grouped_.insert(step.name);
    if (!amount.empty()) amount_of_[step.name] = amount;
    add(std::move(step));
  }

  // Name of the column if the expression is only a column, or null.
  static const std::string* name_in(const Expression& value) {
    const auto* column = std::get_if<ColumnReference>(&value.node());
    return column != nullptr ? &column->name : nullptr;
  }

  void forget(const std::string& name) {
    amount_of_.erase(name);
    key_of_.erase(name);
    grouped_.erase(name);
  }

  void lower_step(Select& step) {
    const auto chosen = step.columns;
    for (auto* hidden : {&amount_of_, &key_of_}) {
      std::map<std::string, std::string> kept;
      std::map<std::string, std::string> columns;
      for (const auto& [name, old] : chosen) {
        const auto found = hidden->find(old);
        if (found == hidden->end()) continue;
        kept[name] = found->second;
        columns[found->second] = found->second;
      }
      step.columns.insert(step.columns.end(), columns.begin(), columns.end());
      *hidden = std::move(kept);
    }
    std::set<std::string> grouped;
    for (const auto& [name, old] : chosen) {
      if (grouped_.count(old) > 0) grouped.insert(name);
    }
    grouped_ = std::move(grouped);
    add(std::move(step));
  }

  // A public table is joined by keys, so rows without a value match nothing.
  void lower_step(JoinPublic& step) {
    for (auto& [own, other] : step.by) {
      const auto key = key_of_.find(own);
      if (key != key_of_.end()) own = key->second;
    }
    add(std::move(step));
  }

  // A person's total has separate bounds. Groups stay, and their keys are rebuilt.
  void lower_step(PerUnit& step) {
    for (PerUnitValue& value : step.values) {
      if (value.of != nullptr) value.of = seen_as(View::amount, value.of);
    }
    std::map<std::string, Field> keys;
    for (const std::string& name : step.by) {
      const auto key = key_of_.find(name);
      if (key != key_of_.end()) keys.emplace(name, field_named(key->second));
    }
    amount_of_.clear();
    key_of_.clear();
    grouped_.clear();
    add(std::move(step));
    for (const auto& [name, key] : keys) {
      ExpressionPtr value = reference(name);
      if (key.may_be_missing) {
        const std::int64_t beyond = field_named(name).missing_key.value_or(kUnboundedMissing);
        value = call_of("na_if", {value, missing_of(key, beyond)});
      }
      if (key.type == FieldType::logical) value = call_of("==", {value, text_literal("TRUE")});
      key_of_[name] = hidden_name(name);
      grouped_.insert(name);
      add(Mutate{key_of_[name], value, std::make_shared<const Field>(key)});
    }
  }

  void lower_step(Truncate& step) {
    if (step.order != nullptr) step.order = seen_as(View::amount, step.order);
    add(std::move(step));
  }

  template <class S>
  void lower_step(S& step) {  // steps that only name keys
    add(std::move(step));
  }

  Statement statement_;
  std::map<std::string, std::string> amount_of_;  // hidden columns by the names of their keys
  // Whether each key equals its amount or is missing. The declared fill of a missing value is a key
  // for every amount.
  bool keys_are_amounts_ = true;
  std::map<std::string, std::string> key_of_;  // the same by the names of groups
  // Columns whose missing values form a group, in the column or in columns computed from it.
  std::set<std::string> grouped_;
  std::vector<Field> fields_;  // after the steps that are lowered
  std::size_t hidden_ = 0;
};

}  // namespace

Statement lowered(Statement statement) {
  if (statement.source.rules == Rules::first) return statement;
  return Lowering(std::move(statement)).lower();
}

bool is_hidden(const std::string& name) { return !name.empty() && name.front() == '\0'; }

}  // namespace dp::query
