// Value of a cell if missing values are not imputed, but dropped or counted. Each cell is separate,
// so a replaced row changes only its cells.
#pragma once

#include <optional>

#include "core/table/column_spec.h"

namespace dp {

class PresentCell {
 public:
  explicit PresentCell(const ColumnSpec& column)
      : lower_(column.lower), upper_(column.upper), whole_(column.whole) {}

  // The result of make_prepare() for a value that it does not impute; empty for others.
  std::optional<double> operator()(double x) const;

 private:
  double lower_;
  double upper_;
  bool whole_;
};

}  // namespace dp
