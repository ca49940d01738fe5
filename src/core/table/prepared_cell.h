// How one cell of a column is prepared: a missing one is a uniform draw between the bounds of
// imputation, a whole one loses its fraction, and all are clamped. Each cell by itself, so a row
// that is replaced changes its own cells and no others.
#pragma once

#include <cstdint>

#include "core/numeric/lattice.h"
#include "core/random/bit_source.h"
#include "core/table/column_spec.h"

namespace dp {

class PreparedCell {
 public:
  // Draws lie on `lattice`, or among the whole numbers if that is what the column holds.
  PreparedCell(const ColumnSpec& column, Lattice lattice);

  // NaN; in a column of whole numbers also what is infinite.
  bool is_missing(double x) const;

  // Of a cell that is not missing.
  double value_of(double x) const;

  double operator()(double x, BitSource& bits) const;

 private:
  std::int64_t place(double x) const;
  double draw(BitSource& bits) const;

  double lower_;
  double upper_;
  bool whole_;
  Lattice lattice_;
  std::int64_t first_;  // of the places of draws
  std::uint64_t count_;
};

}  // namespace dp
