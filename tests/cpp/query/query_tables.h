// Expressions, columns and tables for tests of queries.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/query/rows.h"
#include "core/query/statement.h"

namespace dp::test {

inline constexpr std::int32_t kNa32 = std::numeric_limits<std::int32_t>::min();
inline constexpr std::int64_t kNa64 = std::numeric_limits<std::int64_t>::min();

inline query::ExpressionPtr column_named(const std::string& name) {
  return std::make_shared<query::Expression>(query::ColumnReference{name});
}

template <class T>
query::ExpressionPtr written(T value) {
  query::Literal literal;
  literal.value = value;
  return std::make_shared<query::Expression>(literal);
}
inline query::ExpressionPtr written_whole(std::int64_t value) { return written(value); }
inline query::ExpressionPtr written_text(const char* value) { return written(std::string(value)); }
inline query::ExpressionPtr written_missing() { return written(std::monostate()); }
inline query::ExpressionPtr written_day(std::int64_t value) {
  query::Literal literal;
  literal.value = value;
  literal.is_date = true;
  return std::make_shared<query::Expression>(literal);
}

inline query::ExpressionPtr call(const std::string& op, std::vector<query::ExpressionPtr> args) {
  return std::make_shared<query::Expression>(query::Call{op, std::move(args)});
}

inline query::Field plain_field(const std::string& name, query::FieldType type) {
  query::Field field{};
  field.name = name;
  field.type = type;
  return field;
}
inline query::Field whole_field(const std::string& name, std::int64_t lower, std::int64_t upper) {
  query::Field field = plain_field(name, query::FieldType::integer);
  field.wholes = {lower, upper};
  return field;
}
inline query::Field real_field(const std::string& name, double lower, double upper) {
  query::Field field = plain_field(name, query::FieldType::real);
  field.reals = {lower, upper};
  return field;
}
inline query::Field levels_field(const std::string& name, std::vector<std::string> levels) {
  query::Field field = plain_field(name, query::FieldType::levels);
  field.levels = std::move(levels);
  return field;
}

// A column that owns its cells.
template <class T>
query::QueryColumn column_of(const std::string& name,
                             query::QueryColumn::Kind kind,
                             std::vector<T> cells) {
  auto kept = std::make_shared<std::vector<T>>(std::move(cells));
  if (kept->empty()) kept->reserve(1);
  query::QueryColumn column;
  column.name = name;
  column.kind = kind;
  column.cells = kept->data();
  column.owner = kept;
  return column;
}

// A string column. Each cell has a separate label.
inline query::QueryColumn text_column(const std::string& name,
                                      const std::vector<std::optional<std::string>>& cells) {
  struct Kept {
    std::vector<std::string> labels;
    std::vector<std::int32_t> codes;
  };
  auto kept = std::make_shared<Kept>();
  for (const auto& cell : cells) {
    if (cell) kept->labels.push_back(*cell);
    kept->codes.push_back(cell ? static_cast<std::int32_t>(kept->labels.size()) : kNa32);
  }
  if (kept->codes.empty()) kept->codes.reserve(1);
  query::QueryColumn column;
  column.name = name;
  column.kind = query::QueryColumn::Kind::text;
  column.cells = kept->codes.data();
  for (const std::string& label : kept->labels) column.labels.emplace_back(label);
  column.owner = kept;
  return column;
}

}  // namespace dp::test
