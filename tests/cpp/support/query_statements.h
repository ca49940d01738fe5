// Statements for tests, about patients on wards and their costs.
#pragma once

#include <string>
#include <vector>

#include "core/query/statement.h"
#include "support/reference_query.h"

namespace dp::test {

inline query::Field levels_field(const std::string& name, std::size_t count) {
  query::Field field;
  field.name = name;
  field.type = query::FieldType::levels;
  field.wholes = {0, static_cast<std::int64_t>(count) - 1};
  for (std::size_t i = 0; i < count; ++i) {
    field.levels.push_back(std::string(1, static_cast<char>('A' + i)));
  }
  return field;
}

inline query::Field real_field(const std::string& name,
                               double lower,
                               double upper,
                               query::Missing missing) {
  query::Field field;
  field.name = name;
  field.type = query::FieldType::real;
  field.reals = {lower, upper};
  field.missing = missing;
  return field;
}

inline query::Field text_field(const std::string& name) {
  query::Field field;
  field.name = name;
  field.type = query::FieldType::text;
  return field;
}

// Groups by ward, with `wards` levels. Costs are between -2 and 6.
inline query::Statement statement_by_ward(const query::Missing& missing,
                                          const std::vector<query::Step>& steps,
                                          std::size_t wards = 4) {
  query::Statement statement;
  statement.source.fields = {
      text_field("patient"), levels_field("ward", wards), real_field("cost", -2, 6, missing)};
  statement.source.unit = {query::Unit::Kind::id, {"patient"}, 1};
  statement.steps = steps;
  statement.by = {"ward"};
  return statement;
}

inline query::Aggregate aggregate(query::Aggregate::Kind kind, const std::string& name) {
  using Kind = query::Aggregate::Kind;
  query::Aggregate result;
  result.name = name;
  result.kind = kind;
  if (kind != Kind::count && kind != Kind::ids) result.of = column_of_query("cost");
  return result;
}

// One aggregate of each kind.
inline std::vector<query::Aggregate> all_aggregates() {
  using Kind = query::Aggregate::Kind;
  std::vector<query::Aggregate> all;
  int number = 0;
  for (const Kind kind : {Kind::count,
                          Kind::ids,
                          Kind::missing,
                          Kind::distinct,
                          Kind::sum,
                          Kind::mean,
                          Kind::variance,
                          Kind::quantiles,
                          Kind::quantiles,
                          Kind::histogram}) {
    all.push_back(aggregate(kind, "a" + std::to_string(number++)));
  }
  all[7].probabilities = {0.25, 0.5};
  all[8].probabilities = {0.5};
  all[8].method = query::Aggregate::Method::tree;
  all[7].grid = all[8].grid = all[9].grid = {-2, 0, 1, 3, 6};
  return all;
}

// Outputs each aggregate unchanged.
inline void output_all(query::Statement& statement) {
  statement.outputs.clear();
  for (const query::Aggregate& each : statement.aggregates) {
    statement.outputs.push_back({each.name, column_of_query(each.name)});
  }
}

inline query::Truncate caps(std::optional<std::uint32_t> groups,
                            std::optional<std::uint32_t> rows_per_group) {
  query::Truncate step;
  step.by = {"ward"};
  step.groups = groups;
  step.rows_per_group = rows_per_group;
  return step;
}

inline query::Truncate row_cap(std::uint32_t rows) {
  query::Truncate step;
  step.rows = rows;
  return step;
}

}  // namespace dp::test
