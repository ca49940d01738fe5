// Reference for joins with public tables and summaries of people. It works row by row with maps and
// shares only the lattice with the kernel. The reference kernel counts the resulting rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/numeric/lattice.h"
#include "core/query/schema.h"
#include "query/reference_kernel.h"

namespace dp::test {

// Declared rows, and the declarations of their columns.
struct PlainRows {
  std::vector<query::Field> fields;
  std::vector<std::string> ids;
  std::vector<PlainRow> rows;
};

// Operands of summaries, and their values in a row.
using PlainOperand = std::function<Cell(const PlainRow&)>;
using PlainOperands = std::map<query::ExpressionPtr, PlainOperand>;

// Applies the declaration. Rows without an id are dropped.
inline PlainRows declared_rows(const std::vector<query::Field>& fields, const PlainTable& table) {
  PlainRows plain{fields, table.ids, {}};
  for (const PlainRow& raw : table.rows) {
    PlainRow row;
    bool somebody = true;
    for (const std::string& id : table.ids) {
      row[id] = raw.at(id);
      somebody = somebody && !is_missing(row[id]);
    }
    for (const query::Field& field : fields) {
      row[field.name] = declared_cell(field, raw.at(field.name));
    }
    if (somebody) plain.rows.push_back(row);
  }
  return plain;
}

// Public numbers become integers, whatever their type.
inline Cell public_cell(const query::Literal& literal) {
  if (const auto* text = std::get_if<std::string>(&literal.value)) return *text;
  if (const auto* whole = std::get_if<std::int64_t>(&literal.value)) return *whole;
  if (const auto* flag = std::get_if<bool>(&literal.value)) return std::int64_t{*flag};
  if (const auto* real = std::get_if<double>(&literal.value)) return std::llround(*real);
  return {};
}

inline std::vector<PlainRow> rows_of(const query::PublicTable& table) {
  std::vector<PlainRow> rows(table.columns.at(0).size());
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i][table.fields[c].name] = public_cell(table.columns[c][i]);
    }
  }
  return rows;
}

inline bool joins(const query::JoinPublic& join, const PlainRow& own, const PlainRow& other) {
  return std::all_of(join.by.begin(), join.by.end(), [&](const auto& names) {
    const Cell& cell = own.at(names.first);
    return !is_missing(cell) && cell == other.at(names.second);
  });
}

inline PlainRows joined(const PlainRows& plain, const query::JoinPublic& join) {
  using How = query::JoinPublic::How;
  PlainRows result{query::fields_after_step(plain.fields, join), plain.ids, {}};
  const std::vector<PlainRow> others = rows_of(join.table);
  for (const PlainRow& row : plain.rows) {
    std::vector<PlainRow> found;
    for (const PlainRow& other : others) {
      if (joins(join, row, other)) found.push_back(other);
    }
    if (join.how == How::semi || join.how == How::anti) {
      if (found.empty() == (join.how == How::anti)) result.rows.push_back(row);
      continue;
    }
    if (found.empty() && join.how == How::left) found.emplace_back();
    for (PlainRow& other : found) {
      PlainRow both = row;
      for (const query::Field& field : join.table.fields) both.emplace(field.name, Cell());
      for (const auto& names : join.by) both.erase(names.second), other.erase(names.second);
      for (const auto& [name, cell] : other) both[name] = cell;
      result.rows.push_back(both);
    }
  }
  return result;
}

inline double number_of(const Cell& cell) {
  const auto* whole = std::get_if<std::int64_t>(&cell);
  return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(cell);
}

// `bounds` are bounds of the operand.
inline Cell plain_sum(const std::vector<Cell>& cells,
                      const query::Field& made,
                      const std::optional<std::pair<double, double>>& bounds) {
  std::int64_t sum = 0;
  if (!made.reals) {
    for (const Cell& cell : cells) sum += std::get<std::int64_t>(cell);
    return std::min(std::max(sum, made.wholes->first), made.wholes->second);
  }
  const Lattice lattice = lattice_for(bounds->first, bounds->second);
  for (const Cell& cell : cells) sum += lattice.index(number_of(cell));
  const double total = std::ldexp(static_cast<double>(sum), lattice.exponent);
  return std::min(std::max(total, made.reals->first), made.reals->second);
}

// Summarises the values that are not missing.
inline Cell plain_total(query::PerUnitValue::Kind kind,
                        const std::vector<Cell>& cells,
                        const query::Field& made,
                        const std::optional<std::pair<double, double>>& bounds) {
  using Kind = query::PerUnitValue::Kind;
  const auto truth = [](const Cell& cell) { return std::get<std::int64_t>(cell) != 0; };
  switch (kind) {
    case Kind::sum:
      return plain_sum(cells, made, bounds);
    case Kind::any:
      return std::int64_t{std::any_of(cells.begin(), cells.end(), truth)};
    case Kind::all:
      return std::int64_t{std::all_of(cells.begin(), cells.end(), truth)};
    case Kind::least:
      return cells.empty() ? Cell() : *std::min_element(cells.begin(), cells.end());
    default:
      return cells.empty() ? Cell() : *std::max_element(cells.begin(), cells.end());
  }
}

// `bounds` holds the bounds of real operands, by the name of the summary.
inline PlainRows summed_up(const PlainRows& plain,
                           const query::PerUnit& unit,
                           const PlainOperands& operands,
                           const std::map<std::string, std::pair<double, double>>& bounds) {
  PlainRows result{query::fields_after_step(plain.fields, unit), plain.ids, {}};
  std::map<PlainRow, std::vector<PlainRow>> people;
  for (const PlainRow& row : plain.rows) {
    PlainRow of;
    for (const std::string& id : plain.ids) of[id] = row.at(id);
    bool keyed = true;
    for (const std::string& key : unit.by) {
      of[key] = row.at(key);
      keyed = keyed && !is_missing(of[key]);
    }
    if (keyed) people[of].push_back(row);
  }
  for (const auto& [person, rows] : people) {
    PlainRow one = person;
    for (std::size_t v = 0; v < unit.values.size(); ++v) {
      const query::PerUnitValue& value = unit.values[v];
      if (value.kind == query::PerUnitValue::Kind::rows) {
        one[value.name] = static_cast<std::int64_t>(rows.size());
        continue;
      }
      std::vector<Cell> cells;
      for (const PlainRow& row : rows) {
        const Cell cell = operands.at(value.of)(row);
        if (!is_missing(cell)) cells.push_back(cell);
      }
      const auto found = bounds.find(value.name);
      const bool real = found != bounds.end();
      one[value.name] = plain_total(value.kind,
                                    cells,
                                    result.fields[unit.by.size() + v],
                                    real ? std::optional(found->second) : std::nullopt);
    }
    result.rows.push_back(one);
  }
  return result;
}

}  // namespace dp::test
