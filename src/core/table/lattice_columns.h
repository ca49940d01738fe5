// Columns of a data frame as integers on public lattices.
//
// A cell is prepared by prepared_cell.h and becomes q, 0 <= q <= width, steps above the lower
// bound, to the nearest.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/data/frame.h"
#include "core/numeric/lattice.h"
#include "core/numeric/rational.h"
#include "core/random/bit_source.h"
#include "core/table/column_spec.h"
#include "core/table/prepared_cell.h"

namespace dp {

// How the cells of one column become integers: width() below 2^41.
class ColumnRule {
 public:
  explicit ColumnRule(const ColumnSpec& column);

  const ColumnSpec& column() const { return column_; }
  std::int64_t width() const { return width_; }
  std::int64_t lowest() const { return lowest_; }  // the lower bound in steps from zero
  int exponent() const { return lattice_.exponent; }
  Rational lower() const { return lattice_.exact_value(int128_t{lowest_}); }

  std::int64_t operator()(double x, BitSource& bits) const { return place(cell_(x, bits)); }

  // What operator() imputes, and the integer of what it does not.
  bool is_missing(double x) const { return cell_.is_missing(x); }
  std::int64_t place_of(double x) const { return place(cell_.value_of(x)); }

 private:
  std::int64_t place(double x) const { return lattice_.index(x) - lowest_; }

  ColumnSpec column_;
  Lattice lattice_;
  PreparedCell cell_;
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
                                                       std::size_t n,
                                                       BitSource& bits);

// Rows of integer_columns(), but 0 where a value is missing; `present` is 1 for rows that lack
// none, else 0.
struct PresentRows {
  std::vector<std::vector<std::int64_t>> columns;
  std::vector<std::uint8_t> present;
};
PresentRows present_rows(const std::vector<ColumnRule>& rules, const Frame& frame, std::size_t n);

}  // namespace dp
