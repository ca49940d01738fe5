#include "core/query/domains.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/expressions/steps.h"
#include "core/expressions/typing.h"
#include "core/query/columns.h"
#include "core/query/narrowing.h"
#include "core/query/public_table.h"
#include "core/query/trials.h"

namespace dp::query {
namespace {

using KnownFields = std::vector<Field>;

// Bounds as reals or as whole numbers.
struct Held {
  std::optional<std::pair<double, double>> reals;
  std::optional<std::pair<std::int64_t, std::int64_t>> wholes;
};

template <class T>
void hold(std::optional<std::pair<T, T>>& held, const std::pair<T, T>& range) {
  if (!held) {
    held = range;
  } else {
    held = {std::min(held->first, range.first), std::max(held->second, range.second)};
  }
}

template <class T>
void meet(std::optional<std::pair<T, T>>& bounds, const std::optional<std::pair<T, T>>& held) {
  if (!held) return;
  if (!bounds) {
    bounds = held;
    return;
  }
  const std::pair<T, T> both{std::max(bounds->first, held->first),
                             std::min(bounds->second, held->second)};
  if (both.first <= both.second) bounds = both;
}

// Bounds of a choice, each value where its conditions hold.
class Choice {
 public:
  Choice(const Call& call, const KnownFields& fields, const std::vector<Twins>& twins)
      : args_(call.args), twins_(twins), left_(fields) {
    // The value for missing conditions has nothing to do with the others.
    if (call.op == "if_else" && args_.size() == 4) missing_ = args_[3];
    cases_ = call.op == "if_else" ? 1 : args_.size() / 2;
  }

  // Moves the bounds of `type`, unless a value has none.
  void narrow(Field& type) {
    const bool real = in_reals(type);
    if (missing_ != nullptr && !hold_value(missing_, left_, real)) return;
    for (std::size_t i = 0; i < cases_; ++i) {
      const ExpressionPtr condition = without_default(args_[2 * i]);
      if (!hold_value(args_[2 * i + 1], passing(condition), real)) return;
      if (const ExpressionPtr otherwise = complement(*condition)) leave(otherwise);
    }
    if (!hold_value(args_[2 * cases_], left_, real)) return;
    meet(type.reals, held_.reals);
    meet(type.wholes, held_.wholes);
  }

 private:
  // `coalesce(x > 5, FALSE)` is TRUE where `x > 5` is.
  static ExpressionPtr without_default(const ExpressionPtr& condition) {
    const auto* call = std::get_if<Call>(&condition->node());
    if (call == nullptr || call->op != "coalesce" || call->args.size() != 2) return condition;
    const auto* literal = std::get_if<Literal>(&call->args[1]->node());
    const bool* flag = literal == nullptr ? nullptr : std::get_if<bool>(&literal->value);
    return flag != nullptr && !*flag ? call->args[0] : condition;
  }

  // No columns if no row passes.
  std::optional<KnownFields> passing(const ExpressionPtr& condition) const {
    if (!left_) return {};
    try {
      return narrowed(*left_, Filter{condition, true, twins_});
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::domain) throw;
      return {};
    }
  }

  // Rows with a missing condition reach the next value, too. So missing values stay. If
  // nothing else is left, the bounds stay as well.
  void leave(const ExpressionPtr& otherwise) {
    if (!left_) return;
    const KnownFields before = *left_;
    left_ = passing(otherwise);
    if (!left_ && any_may_be_missing(columns_of(*otherwise), before)) left_ = before;
    if (!left_) return;
    for (std::size_t i = 0; i < before.size(); ++i) {
      (*left_)[i].may_be_missing = before[i].may_be_missing;
    }
  }

  static bool any_may_be_missing(const std::vector<std::string>& names, const KnownFields& fields) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return fields[place_of(name, fields)].may_be_missing;
    });
  }

  // A comparison in order, of a column with a constant, that holds for the values that
  // `condition` excludes.
  static ExpressionPtr complement(const Expression& condition) {
    static const std::pair<const char*, const char*> kOpposite[] = {
        {"<", ">="}, {"<=", ">"}, {">", "<="}, {">=", "<"}};
    const auto* call = std::get_if<Call>(&condition.node());
    if (call == nullptr || call->args.size() != 2) return nullptr;
    const bool is_simple = (is_column(*call->args[0]) && is_constant(*call->args[1])) ||
                           (is_constant(*call->args[0]) && is_column(*call->args[1]));
    for (const auto& [op, opposite] : kOpposite) {
      if (is_simple && call->op == op) {
        return std::make_shared<const Expression>(Call{opposite, call->args});
      }
    }
    return nullptr;
  }

  static bool is_column(const Expression& of) {
    return std::holds_alternative<ColumnReference>(of.node());
  }

  static bool is_constant(const Expression& of) {
    const auto* literal = std::get_if<Literal>(&of.node());
    return literal != nullptr && !is_missing_literal(*literal);
  }

  static bool is_missing(const Expression& of) {
    const auto* literal = std::get_if<Literal>(&of.node());
    return literal != nullptr && is_missing_literal(*literal);
  }

  // Whether the value has bounds, if there are rows that have it.
  bool hold_value(const ExpressionPtr& value, const std::optional<KnownFields>& fields, bool real) {
    if (!fields || is_missing(*value)) return true;
    const Field field = domain_of(value, *fields, twins_);
    if (field.type == FieldType::levels || (!field.reals && !field.wholes)) return false;
    if (real) {
      hold(held_.reals, field.reals ? *field.reals : as_range<double>(*field.wholes));
    } else {
      hold(held_.wholes, field.wholes ? *field.wholes : as_range<std::int64_t>(*field.reals));
    }
    return true;
  }

  // Of whole numbers in a choice of reals, and of a written number in a choice of whole ones.
  template <class T, class Range>
  static std::pair<T, T> as_range(const Range& range) {
    return {static_cast<T>(range.first), static_cast<T>(range.second)};
  }

  const std::vector<ExpressionPtr>& args_;
  const std::vector<Twins>& twins_;
  std::optional<KnownFields> left_;
  ExpressionPtr missing_;
  std::size_t cases_;
  Held held_;
};

bool is_choice(const Expression& value) {
  const auto* call = std::get_if<Call>(&value.node());
  return call != nullptr && (call->op == "if_else" || call->op == "case_when");
}

bool has_ends(const Field& field) {
  return in_reals(field) || field.type == FieldType::integer || field.type == FieldType::date;
}

}  // namespace

Field domain_of(const ExpressionPtr& value,
                const std::vector<Field>& fields,
                const std::vector<Twins>& twins) {
  Field type = type_of(*value, fields);
  if (std::holds_alternative<ColumnReference>(value->node())) return type;
  if (places_in(type)) {
    if (const auto rows = all_rows(views_in(*value, fields, twins), fields)) {
      return with_values(std::move(type), wholes_for(*value, fields, *rows));
    }
  }
  if (is_choice(*value) && has_ends(type)) {
    Choice(std::get<Call>(value->node()), fields, twins).narrow(type);
  }
  if (type.wholes) {
    const auto ends = ends_on(type.steps, *type.wholes);
    if (ends.first <= ends.second) type.wholes = ends;
  }
  return type;
}

bool is_never_true(const ExpressionPtr& condition, const std::vector<Field>& fields) {
  const Field type = domain_of(condition, fields, {});
  return type.type == FieldType::logical && type.places && type.places->back() == 0;
}

}  // namespace dp::query
