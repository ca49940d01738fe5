#include "core/expressions/promote.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "core/error.h"
#include "core/expressions/row_batch.h"
#include "core/expressions/typing.h"
#include "core/numeric/text.h"

namespace dp::query {
namespace {

constexpr double kMost = std::numeric_limits<double>::max();
constexpr double kWhole = 2251799813685248;  // 2^51

std::shared_ptr<Bound> node(Operator op, Field type, std::vector<BoundPtr> args = {}) {
  auto bound = std::make_shared<Bound>();
  bound->op = op;
  bound->type = std::move(type);
  bound->args = std::move(args);
  return bound;
}

BoundPtr whole_literal(FieldType type, std::int64_t value) {
  auto bound = node(Operator::literal, field_of(type, false));
  if (value != kNone) bound->type.wholes = {value, value};
  if (type == FieldType::integer || type == FieldType::date) bound->type.steps = Steps{0, value};
  bound->wholes = {value};
  return bound;
}

BoundPtr real_literal(double value) {
  auto bound = node(Operator::literal, field_of(FieldType::real, false));
  const double held = std::max(-kMost, std::min(kMost, value));
  bound->type.reals = {held, held};
  bound->reals = {value};
  return bound;
}

BoundPtr missing_literal(const Field& like) {
  auto bound = node(Operator::literal, like);
  bound->type.may_be_missing = true;
  bound->wholes = {kNone};
  bound->reals = {kNoReal};
  return bound;
}

BoundPtr as_real(BoundPtr operand) {
  if (in_reals(operand->type)) return operand;
  if (operand->op == Operator::literal) {
    return real_literal(static_cast<double>(operand->wholes[0]));
  }
  Field type = field_of(FieldType::real, operand->type.may_be_missing);
  if (operand->type.wholes) {
    const auto [lower, upper] = *operand->type.wholes;
    // Conversion rounds to nearest, which is monotone.
    type.reals = {static_cast<double>(lower), static_cast<double>(upper)};
  }
  return node(Operator::to_real, std::move(type), {std::move(operand)});
}

BoundPtr as_integer(BoundPtr operand) {
  if (operand->type.type == FieldType::levels) return wholes_of_levels(std::move(operand));
  if (operand->type.type == FieldType::integer) return operand;
  if (in_reals(operand->type)) {  // a literal without a fraction
    return whole_literal(FieldType::integer, static_cast<std::int64_t>(operand->reals[0]));
  }
  auto same = std::make_shared<Bound>(*operand);
  same->type.type = FieldType::integer;
  return same;
}

BoundPtr as_text(BoundPtr operand, TextPool& texts) {
  if (operand->type.type == FieldType::text) return operand;
  auto bound = node(Operator::lookup, field_of(FieldType::text, operand->type.may_be_missing));
  for (const std::string& level : operand->type.levels) bound->wholes.push_back(texts.copy(level));
  bound->args = {std::move(operand)};
  return bound;
}

bool is_whole_literal(const Bound& operand) {
  if (operand.op != Operator::literal || !in_reals(operand.type)) return false;
  return std::fabs(operand.reals[0]) <= kWhole && std::trunc(operand.reals[0]) == operand.reals[0];
}

bool is_real_operand(const BoundPtr& operand) {
  return in_reals(operand->type) && !is_whole_literal(*operand);
}

template <class F>
bool all_typed(const std::vector<BoundPtr>& operands, F&& test) {
  return std::all_of(operands.begin(), operands.end(), [&](const BoundPtr& operand) {
    return is_untyped(operand) || test(*operand);
  });
}

// Converts to integers or reals. If all operands are real literals without a fraction, they stay
// reals.
std::vector<BoundPtr> as_numbers(std::vector<BoundPtr> operands) {
  const bool real = std::any_of(operands.begin(), operands.end(), is_real_operand) ||
                    all_typed(operands, [](const Bound& b) { return in_reals(b.type); });
  const FieldType type = real ? FieldType::real : FieldType::integer;
  for (BoundPtr& operand : operands) {
    if (is_untyped(operand)) {
      operand = missing_literal(field_of(type, true));
    } else if (real) {
      operand = as_real(in_reals(operand->type) ? operand : as_integer(operand));
    } else {
      operand = as_integer(operand);
    }
  }
  return operands;
}

// Whether all have one type; levels must have the same declaration.
bool are_alike(const std::vector<BoundPtr>& operands) {
  const auto first = std::find_if_not(operands.begin(), operands.end(), is_untyped);
  if (first == operands.end()) return false;
  const Field& like = (*first)->type;
  if (is_number(like) && like.type != FieldType::logical && like.type != FieldType::levels) {
    return false;
  }
  return all_typed(operands, [&](const Bound& operand) {
    return operand.type.type == like.type && operand.type.levels == like.levels;
  });
}

std::vector<BoundPtr> with_missing(std::vector<BoundPtr> operands) {
  const auto first = std::find_if_not(operands.begin(), operands.end(), is_untyped);
  const Field like = (*first)->type;
  for (BoundPtr& operand : operands) {
    if (is_untyped(operand)) operand = missing_literal(like);
  }
  return operands;
}

bool is_textual(const Bound& operand) {
  return operand.type.type == FieldType::text || operand.type.type == FieldType::levels;
}

bool is_written_text(const Bound& operand) {
  return operand.op == Operator::literal && operand.type.type == FieldType::text;
}

bool has_text_levels(const Bound& operand) {
  return operand.type.type == FieldType::levels && !operand.type.whole_levels;
}

// The possible texts of an operand of in_common_levels().
std::vector<std::string> texts_of(const Bound& operand, const TextPool& texts) {
  if (!is_written_text(operand)) return operand.type.levels;
  return {std::string(texts.text(operand.wholes[0]))};
}

// Maps texts to their indices among levels.
using Places = std::map<std::string, std::int64_t>;

// Converts `operand` to levels of this type.
BoundPtr placed_among(const Field& type,
                      const Places& places,
                      const BoundPtr& operand,
                      const TextPool& texts) {
  if (is_untyped(operand)) return missing_literal(type);
  if (operand->type.levels == type.levels) return operand;
  const bool written = is_written_text(*operand);
  auto bound = node(written ? Operator::literal : Operator::lookup, type);
  bound->type.may_be_missing = operand->type.may_be_missing;
  for (const std::string& text : texts_of(*operand, texts)) {
    bound->wholes.push_back(places.at(text));
  }
  if (!written) bound->args = {operand};
  return bound;
}

// How to write operands of one type. `kinds` are the present ones.
std::string fix_for_kinds(const std::vector<std::string>& kinds) {
  const auto has = [&](const char* kind) {
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  };
  if (has("dates")) {
    return " Write a date as text, such as \"2025-01-31\", or compare `year()` with a number.";
  }
  if (has("text") || has("levels")) {
    return " Quote constants that are text, or declare levels that are whole numbers, such as "
           "`dp_levels(1, 2)`.";
  }
  return " Use operands of one type.";
}

[[noreturn]] void refuse_meeting(const std::string& op, const std::vector<BoundPtr>& operands) {
  std::vector<std::string> kinds;
  for (const BoundPtr& operand : operands) {
    if (is_untyped(operand)) continue;
    const std::string kind = kind_of(operand->type);
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
  }
  std::string list;
  for (std::size_t i = 0; i < kinds.size(); ++i) list += (i == 0 ? "" : " and ") + kinds[i];
  throw Error(ErrorKind::unsupported,
              "`" + op + "` does not take " + list + " together." + fix_for_kinds(kinds));
}

}  // namespace

Field field_of(FieldType type, bool may_be_missing) {
  Field field{};
  field.type = type;
  field.may_be_missing = may_be_missing;
  return field;
}

Field logical_field(bool may_be_missing) {
  Field field = field_of(FieldType::logical, may_be_missing);
  field.wholes = {0, 1};
  return field;
}

std::int64_t whole_level(const std::string& level) {
  const std::optional<std::int64_t> whole = parse_number<std::int64_t>(level);
  if (!whole || *whole == kNone) {
    throw Error(ErrorKind::domain, "to be used as numbers, levels must consist of digits.");
  }
  return *whole;
}

bool is_untyped(const BoundPtr& operand) {
  return operand->op == Operator::literal && operand->wholes.empty() && operand->reals.empty();
}

BoundPtr bind_literal(const Literal& literal, TextPool& texts) {
  if (const auto* flag = std::get_if<bool>(&literal.value)) {
    return whole_literal(FieldType::logical, *flag ? 1 : 0);
  }
  if (const auto* whole = std::get_if<std::int64_t>(&literal.value)) {
    if (*whole != kNone) {
      return whole_literal(literal.is_date ? FieldType::date : FieldType::integer, *whole);
    }
  }
  if (const auto* real = std::get_if<double>(&literal.value)) {
    if (*real == *real) return real_literal(*real);
  }
  if (const auto* text = std::get_if<std::string>(&literal.value)) {
    return whole_literal(FieldType::text, texts.copy(*text));
  }
  return node(Operator::literal, logical_field(true));
}

BoundPtr wholes_of_levels(BoundPtr operand) {
  auto bound = node(Operator::lookup, field_of(FieldType::integer, operand->type.may_be_missing));
  for (const std::string& level : operand->type.levels) bound->wholes.push_back(whole_level(level));
  if (!bound->wholes.empty()) {
    const auto [least, most] = std::minmax_element(bound->wholes.begin(), bound->wholes.end());
    bound->type.wholes = {*least, *most};
  }
  bound->args = {std::move(operand)};
  return bound;
}

BoundPtr indices_of_levels(BoundPtr operand) {
  auto bound = node(Operator::lookup, field_of(FieldType::integer, operand->type.may_be_missing));
  const auto count = static_cast<std::int64_t>(operand->type.levels.size());
  for (std::int64_t i = 0; i < count; ++i) bound->wholes.push_back(i);
  if (count > 0) bound->type.wholes = {0, count - 1};
  bound->args = {std::move(operand)};
  return bound;
}

std::vector<BoundPtr> promoted(const std::string& op,
                               std::vector<BoundPtr> operands,
                               Meeting meeting,
                               TextPool& texts) {
  if (meeting == Meeting::values && are_alike(operands)) return with_missing(std::move(operands));
  if (all_typed(operands, [](const Bound& b) { return is_number(b.type); })) {
    return as_numbers(std::move(operands));
  }
  if (meeting == Meeting::values && all_typed(operands, is_textual)) {
    for (BoundPtr& operand : operands) {
      operand = is_untyped(operand) ? missing_literal(field_of(FieldType::text, true))
                                    : as_text(operand, texts);
    }
    return operands;
  }
  if (meeting == Meeting::numbers) {
    for (const BoundPtr& operand : operands) {
      if (!is_untyped(operand) && !is_number(operand->type)) {
        refuse_operand(op, "numbers", operand->type);
      }
    }
  }
  refuse_meeting(op, operands);
}

std::optional<std::vector<BoundPtr>> in_common_wholes(const std::vector<BoundPtr>& operands) {
  constexpr double kMostWritten = 2147483648;  // 2^31
  const bool fits = all_typed(operands, [](const Bound& operand) {
    return is_whole_literal(operand) && std::fabs(operand.reals[0]) <= kMostWritten;
  });
  if (!fits || std::all_of(operands.begin(), operands.end(), is_untyped)) return {};
  std::vector<BoundPtr> wholes;
  for (const BoundPtr& operand : operands) {
    wholes.push_back(is_untyped(operand) ? missing_literal(field_of(FieldType::integer, true))
                                         : as_integer(operand));
  }
  return wholes;
}

std::optional<std::vector<BoundPtr>> in_common_levels(const std::vector<BoundPtr>& operands,
                                                      const TextPool& texts) {
  const bool fit = all_typed(operands, [](const Bound& operand) {
    return is_written_text(operand) || has_text_levels(operand);
  });
  if (!fit || std::all_of(operands.begin(), operands.end(), is_untyped)) return std::nullopt;
  Field type = field_of(FieldType::levels, false);
  Places places;
  for (const BoundPtr& operand : operands) {
    if (is_untyped(operand)) continue;
    for (const std::string& text : texts_of(*operand, texts)) {
      const bool is_new = places.emplace(text, type.levels.size()).second;
      if (is_new) type.levels.push_back(text);
    }
  }
  type.wholes = {0, static_cast<std::int64_t>(type.levels.size()) - 1};
  std::vector<BoundPtr> placed;
  for (const BoundPtr& operand : operands) {
    placed.push_back(placed_among(type, places, operand, texts));
  }
  return placed;
}

BoundPtr as_logical(const std::string& op, BoundPtr operand) {
  if (is_untyped(operand)) return missing_literal(logical_field(true));
  if (operand->type.type != FieldType::logical) refuse_operand(op, "logicals", operand->type);
  return operand;
}

void refuse_operand(const std::string& op,
                    const std::string& wanted,
                    const Field& operand,
                    const std::string& fix) {
  const std::string came =
      operand.name.empty() ? ", not " + kind_of(operand)
                           : ", but `" + shown_name(operand.name) + "` holds " + kind_of(operand);
  throw Error(ErrorKind::unsupported,
              "`" + op + "` takes " + wanted + came + "." + (fix.empty() ? "" : " " + fix));
}

}  // namespace dp::query
