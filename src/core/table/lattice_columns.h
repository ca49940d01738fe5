// Columns of a data frame as integers on public lattices.
//
// A cell is prepared (prepare.h) and becomes q, 0 <= q <= width, steps above the lower bound, to
// the nearest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/data/frame.h"
#include "core/numeric/lattice.h"
#include "core/numeric/rational.h"
#include "core/table/column_spec.h"
#include "core/table/prepare.h"
#include "core/table/present_cell.h"

namespace dp {

// Converts the cells of one column to integers: width() below 2^41.
class ColumnRule {
 public:
  explicit ColumnRule(const ColumnSpec& column);

  const ColumnPreparation& preparation() const { return preparation_; }
  std::int64_t width() const { return width_; }
  std::int64_t lowest() const { return lowest_; }  // the lower bound in steps from zero
  int exponent() const { return lattice_.exponent; }
  Rational lower() const { return lattice_.exact_value(int128_t{lowest_}); }

  // Position of a prepared cell.
  std::int64_t place(double x) const { return lattice_.index(x) - lowest_; }

  // Position of any cell; empty if it is missing.
  std::optional<std::int64_t> place_if_present(double x) const;

 private:
  ColumnPreparation preparation_;
  PresentCell present_;
  Lattice lattice_;
  std::int64_t lowest_;
  std::int64_t width_;
};

// Throws what check_column_specs() throws, and make_measurement unless bounds have room for
// different values on the lattice.
std::vector<ColumnRule> column_rules(const std::vector<ColumnSpec>& columns);

// The columns of a frame of f64, `n` rows of each: superfluous rows are dropped at random, missing
// ones imputed, in all columns alike.
std::vector<std::vector<std::int64_t>> integer_columns(const std::vector<ColumnRule>& rules,
                                                       const Frame& frame,
                                                       std::size_t n);

// Rows of integer_columns(), but 0 where a value is missing; `present` is 1 for rows that lack
// none, else 0.
struct PresentRows {
  std::vector<std::vector<std::int64_t>> columns;
  std::vector<std::uint8_t> present;
};
PresentRows present_rows(const std::vector<ColumnRule>& rules, const Frame& frame, std::size_t n);

}  // namespace dp
