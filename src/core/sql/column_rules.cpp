#include "core/sql/column_rules.h"

#include <iterator>
#include <utility>

#include "core/sql/engines/registry.h"

namespace dp::sql {
namespace {

using Reading = ColumnRule::Reading;

ColumnRule rule_of(const DataSource& source, const ColumnType& type, Declaration declaration) {
  const std::string rule = source.rule(type.kind, declaration);
  ColumnRule row{&source, type.name, type.kind, declaration, Reading::as_it_is, ""};
  if (rule == "!") {
    row.reading = Reading::refused;
    row.how = source.conversion(type, declaration);
  } else if (!rule.empty()) {
    row.reading = Reading::by_rule;
    row.how = rule;
  }
  return row;
}

std::vector<ColumnRule> made_rules() {
  std::vector<ColumnRule> rules;
  for (std::size_t d = 0; d < std::size(kDeclarationNames); ++d) {
    for (const DataSource* source : data_sources()) {
      for (const ColumnType& type : source->types()) {
        rules.push_back(rule_of(*source, type, static_cast<Declaration>(d)));
      }
    }
  }
  return rules;
}

std::string lower_case(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

}  // namespace

const std::vector<ColumnRule>& column_rules() {
  static const std::vector<ColumnRule> rules = made_rules();
  return rules;
}

std::string name_of_engine_type(const DataSource& source, const std::string& type) {
  return source.type_name(lower_case(type));
}

std::optional<std::string> kind_of_engine_type(const DataSource& source, const std::string& type) {
  const std::string name = name_of_engine_type(source, type);
  const std::string kind = column_rule(source, name, Declaration::id).kind;
  return kind.empty() ? std::nullopt : std::optional(kind);
}

const ColumnRule& column_rule(const DataSource& source,
                              const std::string& column,
                              Declaration declaration) {
  const ColumnRule* other = nullptr;
  for (const ColumnRule& rule : column_rules()) {
    if (rule.source != &source || rule.declaration != declaration) continue;
    if (rule.column == column) return rule;
    if (rule.column == "other") other = &rule;
  }
  return *other;
}

}  // namespace dp::sql
