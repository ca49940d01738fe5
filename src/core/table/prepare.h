// Preparation of a numeric column for statistics, defined only here.
//
// A missing value (NaN; for whole numbers also a value that is not a 64-bit integer) becomes a
// uniform draw between the bounds of imputation, on their lattice. Whole numbers lose their
// fraction. All are clamped.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/data/column.h"
#include "core/engine/mapped_rows.h"
#include "core/table/column_spec.h"
#include "core/table/each_cell.h"
#include "core/transformations/transformation.h"

namespace dp {

// Vectors of f64, possibly NaN, of any size to `n` prepared rows between the bounds of `column`:
// f64, or i64 for whole numbers. Superfluous rows are dropped and missing ones added as in
// make_resize(). The name of the column is ignored.
//
// Stability: the same as make_resize(); all later steps are row by row (row_wise.h).
//
// Throws the errors of make_resize(), make_domain unless bounds are finite and in order, and
// make_transformation unless bounds of whole numbers are 64-bit integers.
Transformation make_prepare(const Domain& input_domain,
                            const Metric& input_metric,
                            const ColumnSpec& column,
                            std::uint64_t n);

// The same preparation for rows that already have their number (sized_columns.h).
class ColumnPreparation {
 public:
  // Throws what make_prepare() throws.
  explicit ColumnPreparation(const ColumnSpec& column);

  const ColumnSpec& column() const { return column_; }
  const std::string& name() const { return column_.name; }

  // Calls visit(x, row) with each prepared row of f64, in order. Missing values are drawn when they
  // are read, here and once.
  template <class F>
  void each(const ColumnPtr& rows, F&& visit) const {
    const ColumnPtr prepared = mapped_rows(rows, steps_);
    const auto as_double = [&](auto x, std::size_t row) { visit(static_cast<double>(x), row); };
    if (column_.whole) {
      each_cell<std::int64_t>(*prepared, as_double);
    } else {
      each_cell<double>(*prepared, as_double);
    }
  }

 private:
  ColumnSpec column_;
  Function steps_;
};

// Throws what check_column_specs() throws, and make_prepare().
std::vector<ColumnPreparation> column_preparations(const std::vector<ColumnSpec>& columns);

}  // namespace dp
