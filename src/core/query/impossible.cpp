#include "core/query/impossible.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/expressions/promote.h"
#include "core/expressions/typing.h"
#include "core/numeric/text.h"
#include "core/query/columns.h"
#include "core/query/domains.h"
#include "core/query/public_table.h"
#include "core/query/range.h"

namespace dp::query {
namespace {

// Of an expression in a message.
constexpr std::size_t kMostShown = 60;  // bytes
constexpr int kMostDeep = 8;            // nested calls

constexpr double kExactDoubles = 0x1p53;  // beyond it doubles are not exact

// What a comparison has on a side.
struct Side {
  ExpressionPtr expression;
  const Literal* literal;
  Field field;
};

std::optional<Range> exact_range(double lower, double upper) {
  if (!(lower >= -kExactDoubles && upper <= kExactDoubles)) return {};
  return Range{lower, upper};
}

// The least and the greatest number or day; nothing if they are not known.
std::optional<Range> extent_of(const Side& side) {
  if (side.literal != nullptr) {
    const auto* real = std::get_if<double>(&side.literal->value);
    const auto whole = whole_in(*side.literal);
    if (is_missing_literal(*side.literal) || (real == nullptr && !whole)) return {};
    const double value = real != nullptr ? *real : static_cast<double>(*whole);
    return Range{value, value};
  }
  const Field& field = side.field;
  if (field.type == FieldType::levels && field.whole_levels && !field.levels.empty()) {
    Range ends{HUGE_VAL, -HUGE_VAL};
    for (const std::string& level : field.levels) {
      const auto whole = static_cast<double>(whole_level(level));
      ends = {std::min(ends.lower, whole), std::max(ends.upper, whole)};
    }
    return exact_range(ends.lower, ends.upper);
  }
  if (field.type == FieldType::text || field.type == FieldType::levels) return {};
  if (field.reals) return exact_range(field.reals->first, field.reals->second);
  if (!field.wholes) return {};
  return exact_range(static_cast<double>(field.wholes->first),
                     static_cast<double>(field.wholes->second));
}

bool is_day(const Side& side) {
  return side.literal != nullptr ? side.literal->is_date : side.field.type == FieldType::date;
}

std::string number_in_words(double value, bool day) {
  if (!day || std::fabs(value) > 1e9) return format_number(value);
  const auto whole = static_cast<std::int64_t>(value);
  if (whole < kFirstDay || whole > kLastDay) return format_number(value);
  const CivilDate date = civil_date(whole);
  char text[32];
  std::snprintf(text,
                sizeof text,
                "%04d-%02d-%02d",
                static_cast<int>(date.year),
                static_cast<int>(date.month),
                static_cast<int>(date.day));
  return text;
}

std::string written_value(const Side& side) {
  return number_in_words(extent_of(side)->lower, is_day(side));
}

const std::string* column_in(const Side& side) {
  const auto* column = std::get_if<ColumnReference>(&side.expression->node());
  return column == nullptr ? nullptr : &column->name;
}

std::string named(const Side& side) {
  return side.literal != nullptr ? written_value(side) : described(*side.expression);
}

bool is_infix(const Expression& expression) {
  const auto* call = std::get_if<Call>(&expression.node());
  return call != nullptr && std::isalpha(static_cast<unsigned char>(call->op[0])) == 0;
}

// The expression as R code, with `...` for each constant and for calls nested more deeply.
std::string code_of(const Expression& expression, int depth) {
  if (const auto* column = std::get_if<ColumnReference>(&expression.node())) return column->name;
  const auto* call = std::get_if<Call>(&expression.node());
  if (call == nullptr || depth == 0) return "...";
  std::vector<std::string> args;
  const bool infix = is_infix(expression);
  for (const ExpressionPtr& arg : call->args) {
    const std::string code = code_of(*arg, depth - 1);
    args.push_back(infix && is_infix(*arg) && code != "..." ? "(" + code + ")" : code);
  }
  if (infix && args.size() == 1) return call->op + args[0];
  if (infix && args.size() == 2) return args[0] + " " + call->op + " " + args[1];
  std::string list;
  for (const std::string& arg : args) list += (list.empty() ? "" : ", ") + arg;
  return call->op + "(" + list + ")";
}

class Comparison {
 public:
  Comparison(const ExpressionPtr& of,
             const std::vector<Field>& fields,
             const std::vector<Field>& declared)
      : call_(std::get<Call>(of->node())), declared_(declared) {
    for (const ExpressionPtr& arg : call_.args) {
      const auto* literal = std::get_if<Literal>(&arg->node());
      sides_.push_back({arg, literal, literal == nullptr ? domain_of(arg, fields, {}) : Field{}});
    }
  }

  void check() const {
    const std::string& op = call_.op;
    if (op == "between") {
      check_ends();
      check_order(sides_[1], sides_[0], false);
      check_order(sides_[0], sides_[2], false);
    } else if (op == "<" || op == "<=") {
      check_order(sides_[0], sides_[1], op == "<");
    } else if (op == ">" || op == ">=") {
      check_order(sides_[1], sides_[0], op == ">");
    } else {
      for (std::size_t i = 1; i < sides_.size(); ++i) check_equality(sides_[0], sides_[i]);
    }
  }

 private:
  static bool are_comparable(const Side& a, const Side& b) {
    const bool constant = a.literal != nullptr && b.literal != nullptr;
    return !constant && is_day(a) == is_day(b) && extent_of(a) && extent_of(b);
  }

  // Of a range that is written out.
  void check_ends() const {
    const Side& low = sides_[1];
    const Side& high = sides_[2];
    if (low.literal == nullptr || high.literal == nullptr || is_day(low) != is_day(high)) return;
    const auto least = extent_of(low);
    const auto most = extent_of(high);
    if (!least || !most || least->lower <= most->lower) return;
    throw Error(ErrorKind::domain,
                "`between` is never TRUE, because " + named(low) + " is above " + named(high) +
                    ". Write the lower end first.");
  }

  // Whether `low` can be below `high`.
  void check_order(const Side& low, const Side& high, bool strict) const {
    if (!are_comparable(low, high)) return;
    const double least = extent_of(low)->lower;
    const double most = extent_of(high)->upper;
    if (strict ? least < most : least <= most) return;
    const Side& of = low.literal == nullptr ? low : high;
    const Side& other = &of == &low ? high : low;
    refuse("`" + call_.op + "` is never TRUE for " + named(of) + " and " + named(other) + ". ", of);
  }

  void check_equality(const Side& a, const Side& b) const {
    if (!are_comparable(a, b)) return;
    const Side& of = a.literal == nullptr ? a : b;
    const Side& other = &of == &a ? b : a;
    const auto [lower, upper] = *extent_of(of);
    const auto [least, most] = *extent_of(other);
    const bool apart = most < lower || upper < least;
    if (apart || (other.literal != nullptr && !can_be(of.field, least))) {
      refuse_code(of, other);
      refuse(named(of) + " is never " + named(other) + ". ",
             of,
             other.literal != nullptr ? named(other) : "");
    }
  }

  static bool can_be(const Field& field, double value) {
    if (in_reals(field) || field.type == FieldType::levels) return true;  // undeclared.h has levels
    return value == std::floor(value) && can_have(field, static_cast<std::int64_t>(value));
  }

  // A declared column, unless a step has made another one of this name.
  const Field* declaration_of(const Side& side) const {
    const std::string* name = column_in(side);
    if (name == nullptr) return nullptr;
    const auto found = std::find_if(declared_.begin(), declared_.end(), [&](const Field& field) {
      return field.name == *name && field.type == side.field.type &&
             field.wholes == side.field.wholes && field.reals == side.field.reals;
    });
    return found == declared_.end() ? nullptr : &*found;
  }

  void refuse_code(const Side& of, const Side& other) const {
    const Field* field = declaration_of(of);
    if (field == nullptr || other.literal == nullptr) return;
    const auto& codes = field->na;
    if (std::find(codes.begin(), codes.end(), extent_of(other)->lower) == codes.end()) return;
    throw Error(ErrorKind::domain,
                named(of) + " is never " + named(other) +
                    ", because its declaration has this code in `na`. Write `is.na(" +
                    *column_in(of) + ")`.");
  }

  // `code` is a constant that can be a code of missing values.
  [[noreturn]] void refuse(const std::string& sentence,
                           const Side& of,
                           const std::string& code = "") const {
    const auto [lower, upper] = *extent_of(of);
    const bool day = is_day(of);
    std::string range;
    if (of.field.type == FieldType::logical) {
      range = "is FALSE or TRUE";
    } else {
      const bool whole = of.field.type == FieldType::integer;
      const std::string kind = whole ? "whole numbers" : day ? "days" : "numbers";
      range = "has " + kind + " from " + number_in_words(lower, day) + " to " +
              number_in_words(upper, day);
      const auto& steps = of.field.steps;
      if (whole && steps && steps->size > 1) {
        range += " in steps of " + std::to_string(steps->size);
      }
    }
    throw Error(ErrorKind::domain,
                sentence + named(of) + " " + range + ". " + fix_for(of) + fix_for_code(of, code));
  }

  std::string fix_for_code(const Side& of, const std::string& code) const {
    const Field* field = declaration_of(of);
    const bool has_codes =
        field != nullptr && (field->type == FieldType::integer || field->type == FieldType::real);
    if (!has_codes) return "";
    if (code.empty() && !field->na.empty()) {
      return " Its codes in `na` are missing: find them by `is.na(" + *column_in(of) + ")`.";
    }
    const std::string function = field->type == FieldType::integer ? "`dp_int()`" : "`dp_num()`";
    return " Declare codes of missing values in " + function +
           ", such as `na = " + (code.empty() ? "999" : code) + "`.";
  }

  std::string fix_for(const Side& of) const {
    const Field* field = declaration_of(of);
    if (field == nullptr) {
      return "Change the condition, or declare the columns in it with different bounds.";
    }
    const std::string also = "Change the condition, or ";
    switch (field->type) {
      case FieldType::integer:
        return also + "the bounds of " + named(of) + " in `dp_int()`.";
      case FieldType::real:
        return also + "the bounds of " + named(of) + " in `dp_num()`.";
      case FieldType::date:
        return also + "the bounds of " + named(of) + " in `dp_date()`.";
      case FieldType::levels:
        return also + "the levels of " + named(of) + " in `dp_levels()`.";
      default:
        return "Change the condition.";
    }
  }

  const Call& call_;
  const std::vector<Field>& declared_;
  std::vector<Side> sides_;
};

bool compares(const std::string& op) {
  static const char* const kOperators[] = {"==", "!=", "%in%", "<", "<=", ">", ">=", "between"};
  return std::any_of(
      std::begin(kOperators), std::end(kOperators), [&](const char* each) { return op == each; });
}

// Whether a missing value is asked for is a fair question even if there is none.
bool asks_for_missing(const Expression& expression) {
  const auto* call = std::get_if<Call>(&expression.node());
  if (call == nullptr) return false;
  return call->op == "is.na" ||
         std::any_of(call->args.begin(), call->args.end(), [](const ExpressionPtr& arg) {
           return asks_for_missing(*arg);
         });
}

}  // namespace

std::string described(const Expression& expression) {
  const std::string code = code_of(expression, kMostDeep);
  return "`" + (code.size() > kMostShown ? code_of(expression, 1) : code) + "`";
}

void refuse_impossible(const ExpressionPtr& comparison,
                       const std::vector<Field>& fields,
                       const std::vector<Field>& declared) {
  const auto* call = std::get_if<Call>(&comparison->node());
  if (call == nullptr) return;
  if (compares(call->op)) Comparison(comparison, fields, declared).check();
  const bool joins = call->op == "&" || call->op == "!";
  if (joins && !asks_for_missing(*comparison) && is_never_true(comparison, fields)) {
    std::string names;
    std::vector<std::string> columns = columns_of(*comparison);
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    for (const std::string& name : columns) names += (names.empty() ? "`" : ", `") + name + "`";
    throw Error(ErrorKind::domain,
                "`" + call->op + "` is never TRUE for the declared values of " + names +
                    ". Change the condition or the declaration.");
  }
}

}  // namespace dp::query
