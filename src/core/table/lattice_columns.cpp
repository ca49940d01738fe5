#include "core/table/lattice_columns.h"

#include <algorithm>

#include "core/error.h"
#include "core/table/each_cell.h"
#include "core/table/sized_columns.h"

namespace dp {
namespace {

// The finest lattice has 51 bits; sums of 2^40 products of 40 bits fit 128.
constexpr int kDroppedBits = 11;

// Whole numbers have steps of at least 1.
Lattice lattice_of(const ColumnSpec& column) {
  const int exponent = lattice_for(column.lower, column.upper).exponent + kDroppedBits;
  return {column.whole ? std::max(exponent, 0) : exponent};
}

std::vector<ColumnPtr> columns_of(const std::vector<ColumnRule>& rules,
                                  const Frame& frame,
                                  std::size_t n) {
  std::vector<std::string> names;
  for (const ColumnRule& rule : rules) names.push_back(rule.preparation().name());
  return sized_columns(frame, names, n, RowOrder::as_given);
}

}  // namespace

ColumnRule::ColumnRule(const ColumnSpec& column)
    : preparation_(column),
      present_(column),
      lattice_(lattice_of(column)),
      lowest_(lattice_.index(column.lower)),
      width_(lattice_.index(column.upper) - lowest_) {
  if (width_ <= 0 || lattice_.exponent < -500 || lattice_.exponent > 450) {
    throw Error(
        ErrorKind::make_measurement,
        "bounds must have room for different values, of a magnitude whose square is a double.");
  }
}

std::optional<std::int64_t> ColumnRule::place_if_present(double x) const {
  const std::optional<double> value = present_(x);
  if (!value) return std::nullopt;
  return place(*value);
}

std::vector<ColumnRule> column_rules(const std::vector<ColumnSpec>& columns) {
  check_column_specs(columns);
  return std::vector<ColumnRule>(columns.begin(), columns.end());
}

std::vector<std::vector<std::int64_t>> integer_columns(const std::vector<ColumnRule>& rules,
                                                       const Frame& frame,
                                                       std::size_t n) {
  const std::vector<ColumnPtr> sized = columns_of(rules, frame, n);
  std::vector<std::vector<std::int64_t>> columns;
  for (std::size_t c = 0; c < rules.size(); ++c) {
    std::vector<std::int64_t>& column = columns.emplace_back(n);
    rules[c].preparation().each(
        sized[c], [&](double x, std::size_t row) { column[row] = rules[c].place(x); });
  }
  return columns;
}

PresentRows present_rows(const std::vector<ColumnRule>& rules, const Frame& frame, std::size_t n) {
  const std::vector<ColumnPtr> sized = columns_of(rules, frame, n);
  PresentRows all{{}, std::vector<std::uint8_t>(n, 1)};
  for (std::size_t c = 0; c < rules.size(); ++c) {
    all.columns.emplace_back(n);
    each_cell<double>(*sized[c], [&](double x, std::size_t row) {
      const std::optional<std::int64_t> place = rules[c].place_if_present(x);
      if (!place) all.present[row] = 0;
      all.columns[c][row] = place.value_or(0);
    });
  }
  return all;
}

}  // namespace dp
