// Columns of a data frame as integers on public lattices.
//
// A cell comes as a double and becomes q, 0 <= q <= width, steps above the lower bound: a missing
// one a uniform draw, others clamped and rounded, each by itself. So a row that is replaced changes
// its own integers and no others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/domains/bounded_column.h"
#include "core/engine/frame.h"
#include "core/numeric/lattice.h"
#include "core/numeric/rational.h"
#include "core/random/bit_source.h"

namespace dp {

// How the cells of one column become integers: width() below 2^41.
class ColumnRule {
 public:
  explicit ColumnRule(const BoundedColumn& column);

  const std::string& name() const { return column_.name; }
  std::int64_t width() const { return width_; }
  std::int64_t lowest() const { return lowest_; }  // the lower bound in steps from zero
  int exponent() const { return lattice_.exponent; }
  Rational lower() const { return lattice_.exact_value(int128_t{lowest_}); }

  std::int64_t operator()(double x, BitSource& bits) const;

  // What operator() imputes, and the integer of what it does not.
  bool is_missing(double x) const;
  std::int64_t place_of(double x) const;

 private:
  std::int64_t place(double x) const;
  std::int64_t draw_place(double x) const;
  double draw(BitSource& bits) const;

  BoundedColumn column_;
  Lattice lattice_{0};
  std::int64_t lowest_ = 0;
  std::int64_t width_ = 0;
  std::int64_t impute_from_ = 0;
  std::uint64_t impute_count_ = 0;
};

// Throws what check_bounded_columns() throws, and make_measurement unless bounds have room for
// different values on the lattice.
std::vector<ColumnRule> column_rules(const std::vector<BoundedColumn>& columns);

// The columns of a frame of f64, `n` rows of each: superfluous rows are dropped at random, missing
// ones imputed, in all columns alike.
std::vector<std::vector<std::int64_t>> integer_columns(const std::vector<ColumnRule>& rules,
                                                       const Frame& frame,
                                                       std::size_t n,
                                                       BitSource& bits);

// Rows of integer_columns() as 2 q - width in each column, and 0 where a value is missing;
// `present` is 1 for rows that lack none, else 0.
struct PresentRows {
  std::vector<std::vector<std::int64_t>> columns;
  std::vector<std::uint8_t> present;
};
PresentRows present_rows(const std::vector<ColumnRule>& rules, const Frame& frame, std::size_t n);

}  // namespace dp
