// Columns of a data frame as a function of blocks sees them: prepared, and in random order.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/data/frame.h"
#include "core/random/bit_source.h"
#include "core/table/column_spec.h"

namespace dp {

// The columns of `frame`, all in one random order of its rows. With `rows`, superfluous rows are
// dropped and those that are not there count as missing. Cells are prepared by prepared_cell.h,
// with draws from the lattice of the bounds of imputation.
std::vector<std::vector<double>> prepared_columns(const Frame& frame,
                                                  const std::vector<ColumnSpec>& columns,
                                                  std::optional<std::size_t> rows,
                                                  BitSource& bits);

}  // namespace dp
