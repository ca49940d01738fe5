// What one cell of a column counts as where missing values are not imputed, but dropped or counted.
// Each cell by itself, so a row that is replaced changes its own cells and no others.
#pragma once

#include <optional>

#include "core/table/column_spec.h"

namespace dp {

class PresentCell {
 public:
  explicit PresentCell(const ColumnSpec& column)
      : lower_(column.lower), upper_(column.upper), whole_(column.whole) {}

  // What make_prepare() makes of a value that it does not impute; nothing of one that it does.
  std::optional<double> operator()(double x) const;

 private:
  double lower_;
  double upper_;
  bool whole_;
};

}  // namespace dp
