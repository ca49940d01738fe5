#include "core/query/undeclared.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/expressions/promote.h"
#include "core/expressions/typing.h"
#include "core/query/impossible.h"
#include "core/query/public_table.h"
#include "core/query/schema.h"

namespace dp::query {
namespace {

constexpr std::size_t kMostCompared = 64;  // bytes of texts whose spelling is compared
constexpr std::size_t kMostListed = 5;     // levels that a message names

// Edit distance: the fewest letters inserted, deleted or replaced, ignoring case.
std::size_t edits_between(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  const auto letter = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (letter(a[i]) == letter(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row[b.size()];
}

std::optional<std::string> closest(const std::string& text,
                                   const std::vector<std::string>& levels) {
  if (text.size() > kMostCompared) return {};
  std::optional<std::string> found;
  std::size_t least = text.size() / 4 + 2;
  for (const std::string& level : levels) {
    if (level.size() > kMostCompared) continue;
    const std::size_t edits = edits_between(text, level);
    if (edits < least && edits < std::max(text.size(), level.size())) {
      least = edits;
      found = level;
    }
  }
  return found;
}

std::string shown(const std::string& text) {
  std::string kept = text.substr(0, kMostCompared);
  for (char& c : kept) {
    if (std::iscntrl(static_cast<unsigned char>(c)) != 0) c = '?';
  }
  return "\"" + kept + "\"";
}

std::string listed(const std::vector<std::string>& levels) {
  std::string list;
  for (std::size_t i = 0; i < levels.size() && i < kMostListed; ++i) {
    list += (i == 0 ? "" : ", ") + shown(levels[i]);
  }
  if (levels.size() > kMostListed) {
    list += " and " + std::to_string(levels.size() - kMostListed) + " others";
  }
  return list;
}

[[noreturn]] void refuse(const std::string& of,
                         const std::string& value,
                         const std::vector<std::string>& levels,
                         const std::string& fix) {
  const std::optional<std::string> meant = closest(value, levels);
  throw Error(ErrorKind::domain,
              of + " has no level " + shown(value) + ". " +
                  (meant ? "Did you mean " + shown(*meant) + "?"
                         : "Its levels are " + listed(levels) + ". " + fix));
}

// The text of the level that a constant would equal; none for a missing value.
std::optional<std::string> level_of(const Literal& literal) {
  if (is_missing_literal(literal)) return {};
  if (const auto* text = std::get_if<std::string>(&literal.value)) return *text;
  if (const auto whole = whole_in(literal)) return std::to_string(*whole);
  const auto* real = std::get_if<double>(&literal.value);
  if (real == nullptr) return {};
  std::ostringstream text;
  text << *real;
  return text.str();
}

void check_comparison(const Call& call, const std::vector<Field>& fields) {
  for (const ExpressionPtr& of : call.args) {
    if (std::holds_alternative<Literal>(of->node())) continue;
    const Field type = type_of(*of, fields);
    if (type.type != FieldType::levels) continue;
    const std::set<std::string> levels(type.levels.begin(), type.levels.end());
    for (const ExpressionPtr& other : call.args) {
      const auto* literal = std::get_if<Literal>(&other->node());
      const auto value = literal == nullptr ? std::nullopt : level_of(*literal);
      if (value && levels.count(*value) == 0) {
        refuse(described(*of),
               *value,
               type.levels,
               "Compare with one of these, or declare the level with `dp_levels()`.");
      }
    }
  }
}

// All conditions of a statement, the innermost first.
class Conditions {
 public:
  explicit Conditions(const Statement& statement)
      : statement_(statement), fields_(declared_fields(statement.source)) {}

  void check() {
    for (const Step& step : statement_.steps) {
      std::visit([&](const auto& one) { check_step(one); }, step);
      if (!std::holds_alternative<Filter>(step)) fields_ = fields_after_step(fields_, step);
    }
    for (const Aggregate& aggregate : statement_.aggregates) {
      check(aggregate.of);
      check(aggregate.weights);
      check(aggregate.times);
      for (const ExpressionPtr& cells : aggregate.cells) check(cells);
      for (const ExpressionPtr& column : aggregate.predictors) check(column);
    }
  }

 private:
  void check(const ExpressionPtr& expression) const {
    if (expression == nullptr) return;
    const auto* call = std::get_if<Call>(&expression->node());
    if (call == nullptr) return;
    for (const ExpressionPtr& arg : call->args) check(arg);
    if (call->op == "==" || call->op == "!=" || call->op == "%in%") {
      check_comparison(*call, fields_);
    }
    refuse_impossible(expression, fields_, statement_.source.fields);
  }

  void check_step(const Filter& step) const { check(step.predicate); }
  void check_step(const Mutate& step) const { check(step.value); }
  void check_step(const Truncate& step) const { check(step.order); }
  void check_step(const PerUnit& step) const {
    for (const PerUnitValue& value : step.values) check(value.of);
  }
  template <class S>
  void check_step(const S& step) const {  // without expressions
    static_cast<void>(step);
  }

  const Statement& statement_;
  std::vector<Field> fields_;
};

}  // namespace

void refuse_undeclared_values(const Statement& statement) {
  if (statement.source.rules != Rules::first) Conditions(statement).check();
}

}  // namespace dp::query
