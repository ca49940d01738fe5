#include "core/query/narrowing.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/expressions/promote.h"
#include "core/expressions/steps.h"
#include "core/expressions/typing.h"
#include "core/query/columns.h"
#include "core/query/lowered.h"
#include "core/query/trials.h"

namespace dp::query {
namespace {

void add_conditions(const ExpressionPtr& predicate, std::vector<ExpressionPtr>& conditions) {
  const auto* call = std::get_if<Call>(&predicate->node());
  if (call != nullptr && call->op == "&") {
    for (const ExpressionPtr& arg : call->args) add_conditions(arg, conditions);
  } else {
    conditions.push_back(predicate);
  }
}

// The value of the amount, and whether the key has it; kNone for a missing value.
struct Trial {
  std::int64_t amount;
  bool has_key;
};

class Narrowing {
 public:
  Narrowing(std::vector<Field> fields, const Filter& filter)
      : fields_(std::move(fields)), filter_(filter) {}

  std::vector<Field> narrow() {
    std::vector<ExpressionPtr> conditions;
    add_conditions(filter_.predicate, conditions);
    for (const ExpressionPtr& condition : conditions) narrow_by(condition);
    for (const Twins& twins : filter_.twins) {
      if (twins.is_group) narrow_group(twins);
    }
    return std::move(fields_);
  }

 private:
  // The column of a condition, if it has only one.
  std::optional<Views> column_of(const Expression& condition) const {
    const std::vector<Views> columns = views_in(condition, fields_, filter_.twins);
    if (columns.size() != 1) return {};
    return columns[0];
  }

  // Whether the condition is TRUE for each of the trials.
  std::vector<bool> passing(const ExpressionPtr& condition,
                            const Views& pair,
                            const std::vector<Trial>& trials) const {
    RowBatch batch;
    batch.size = trials.size();
    batch.columns.resize(fields_.size());
    const bool real = in_reals(fields_[pair.amount]);
    for (const Trial& trial : trials) {
      if (real) {  // only missing values are tried
        batch.columns[pair.amount].reals.push_back(kNoReal);
      } else {
        batch.columns[pair.amount].wholes.push_back(trial.amount);
      }
      if (pair.key == pair.amount) continue;
      if (real) {
        batch.columns[pair.key].reals.push_back(kNoReal);
      } else {
        batch.columns[pair.key].wholes.push_back(trial.has_key ? trial.amount : kNone);
      }
    }
    std::vector<bool> passes;
    for (const std::int64_t cell : wholes_for(*condition, fields_, batch)) {
      passes.push_back(cell == 1);
    }
    return passes;
  }

  void narrow_by(const ExpressionPtr& condition) {
    const std::optional<Views> pair = column_of(*condition);
    if (!pair) return;
    const bool missing_passes = passing(condition, *pair, {{kNone, false}})[0];
    Field& amount = fields_[pair->amount];
    // A missing value counts as the middle of the bounds, so the bounds must not move.
    const bool has_middle = amount.missing.policy == Missing::Policy::midpoint;
    if (missing_passes && amount.may_be_missing && has_middle) return;
    if (const auto places = few_values(amount)) {
      try_places(condition, *pair, *places, missing_passes);
    } else if (missing_passes && amount.may_be_missing && asks_for_missing(*condition)) {
      for (const std::size_t place : {pair->amount, pair->key}) {
        if (places_in(fields_[place])) keep(fields_[place], {}, 1);
      }
    } else if (!missing_passes) {
      move_bounds(*condition, *pair);
    }
    if (!missing_passes) amount.may_be_missing = false;
  }

  void try_places(const ExpressionPtr& condition,
                  const Views& pair,
                  const std::vector<std::int64_t>& places,
                  bool missing_passes) {
    std::vector<Trial> trials;
    for (const std::int64_t place : places) trials.push_back({place, true});
    if (pair.key != pair.amount) {
      for (const std::int64_t place : places) trials.push_back({place, false});
    }
    const std::vector<bool> passes = passing(condition, pair, trials);
    std::vector<std::int64_t> amounts, keys;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const bool without_key = pair.key != pair.amount && passes[places.size() + i];
      if (passes[i] || without_key) amounts.push_back(places[i]);
      if (passes[i]) keys.push_back(places[i]);
    }
    if (amounts.empty() && !(missing_passes && fields_[pair.amount].may_be_missing)) {
      refuse_all(pair);
    }
    const bool needs_key = std::none_of(passes.begin() + static_cast<std::ptrdiff_t>(places.size()),
                                        passes.end(),
                                        [](bool passed) { return passed; });
    keep(fields_[pair.amount], std::move(amounts), places.size());
    if (pair.key == pair.amount) return;
    if (needs_key && !missing_passes) fields_[pair.key].may_be_missing = false;
    keep(fields_[pair.key], std::move(keys), places.size());
  }

  // Whether the condition is is.na() of the column.
  static bool asks_for_missing(const Expression& condition) {
    const auto* call = std::get_if<Call>(&condition.node());
    return call != nullptr && call->op == "is.na" &&
           std::holds_alternative<ColumnReference>(call->args[0]->node());
  }

  // If no value remains, all passing rows have a missing value, and the bounds stay unchanged.
  static void keep(Field& field, std::vector<std::int64_t> places, uint128_t tried) {
    if (places.size() == tried) return;
    const bool has_range = field.type == FieldType::integer || field.type == FieldType::date;
    if (has_range && !places.empty()) field.wholes = {places.front(), places.back()};
    field.places = std::move(places);
  }

  // Moves a bound for a comparison of the column with a constant.
  void move_bounds(const Expression& condition, const Views& pair) {
    const auto* call = std::get_if<Call>(&condition.node());
    if (call == nullptr) return;
    if (call->op == "between") {
      move_end(">=", *call->args[0], *call->args[1], pair);
      move_end("<=", *call->args[0], *call->args[2], pair);
    } else if (call->args.size() == 2) {
      static const std::pair<const char*, const char*> kSwapped[] = {
          {"<", ">"}, {"<=", ">="}, {">", "<"}, {">=", "<="}, {"==", "=="}};
      for (const auto& [op, swapped] : kSwapped) {
        if (call->op != op) continue;
        move_end(op, *call->args[0], *call->args[1], pair);
        move_end(swapped, *call->args[1], *call->args[0], pair);
      }
    }
  }

  void move_end(const std::string& op, const Expression& of, const Expression& end, Views pair) {
    const auto* literal = std::get_if<Literal>(&end.node());
    if (!std::holds_alternative<ColumnReference>(of.node()) || literal == nullptr) return;
    TextPool texts;
    const BoundPtr at = bind_literal(*literal, texts);
    if (is_untyped(at) || at->type.type == FieldType::text) return;
    const bool moves_lower = op != "<" && op != "<=";
    const bool moves_upper = op != ">" && op != ">=";
    for (const std::size_t place : {pair.amount, pair.key}) {
      Field& field = fields_[place];
      if (field.type == FieldType::levels) return;  // the bounds are of positions, not of levels
      if (field.reals) {
        const double value = in_reals(at->type) ? at->reals[0] : static_cast<double>(at->wholes[0]);
        if (moves_lower) field.reals->first = std::max(field.reals->first, value);
        if (moves_upper) field.reals->second = std::min(field.reals->second, value);
        if (!(field.reals->first <= field.reals->second)) refuse_all(pair);
      } else if (field.wholes) {
        const auto ends = whole_ends(*at, op == "<" || op == ">");
        if (!ends) return;
        if (moves_lower) field.wholes->first = std::max(field.wholes->first, ends->first);
        if (moves_upper) field.wholes->second = std::min(field.wholes->second, ends->second);
        field.wholes = ends_on(field.steps, *field.wholes);
        if (field.wholes->first > field.wholes->second) refuse_all(pair);
      }
    }
  }

  // The least and the greatest whole number on either side of a constant.
  static std::optional<std::pair<std::int64_t, std::int64_t>> whole_ends(const Bound& at,
                                                                         bool strict) {
    constexpr double kMostExact = 0x1p51;
    if (!in_reals(at.type)) {
      if (std::fabs(static_cast<double>(at.wholes[0])) > kMostExact) return {};
      const std::int64_t one = strict ? 1 : 0;
      return {{at.wholes[0] + one, at.wholes[0] - one}};
    }
    const double value = at.reals[0];
    if (!(std::fabs(value) <= kMostExact)) return {};
    const double least = strict ? std::floor(value) + 1 : std::ceil(value);
    const double most = strict ? std::ceil(value) - 1 : std::floor(value);
    return {{static_cast<std::int64_t>(least), static_cast<std::int64_t>(most)}};
  }

  // The group has the values of the hidden column, and one more.
  void narrow_group(const Twins& twins) {
    const Field& hidden = fields_[place_of(twins.hidden, fields_)];
    Field& group = fields_[place_of(twins.name, fields_)];
    if (!group.missing_key) return;
    if (group.type == FieldType::text) {
      if (!hidden.may_be_missing) group.missing_key.reset();
    } else if (group.type == FieldType::levels) {
      narrow_levels(hidden, group);
    } else if (auto places = few_values(hidden)) {
      if (hidden.may_be_missing) places->push_back(*group.missing_key);
      const uint128_t before = places_in(group) ? number_of_values(group) : 0;
      keep(group, *std::move(places), before);
    } else if (!hidden.may_be_missing) {
      group.wholes = hidden.wholes;
    }
  }

  // Narrows levels, compared as texts.
  static void narrow_levels(const Field& hidden, Field& group) {
    std::set<std::string> left;
    const std::vector<std::int64_t> held = few_values(hidden).value_or(std::vector<std::int64_t>());
    for (const std::int64_t place : held) {
      left.insert(hidden.type == FieldType::logical
                      ? (place == 1 ? "TRUE" : "FALSE")
                      : hidden.levels[static_cast<std::size_t>(place)]);
    }
    if (hidden.may_be_missing) left.insert(kMissingLevel);
    std::vector<std::int64_t> places;
    for (std::size_t i = 0; i < group.levels.size(); ++i) {
      if (left.count(group.levels[i]) > 0) places.push_back(static_cast<std::int64_t>(i));
    }
    keep(group, std::move(places), group.levels.size());
  }

  [[noreturn]] void refuse_all(const Views& pair) const {
    throw Error(ErrorKind::domain,
                "`filter()` keeps no row, because no declared value of `" + fields_[pair.key].name +
                    "` passes. Change the condition or the declaration.");
  }

  std::vector<Field> fields_;
  const Filter& filter_;
};

}  // namespace

std::vector<Field> narrowed(std::vector<Field> fields, const Filter& filter) {
  return Narrowing(std::move(fields), filter).narrow();
}

}  // namespace dp::query
