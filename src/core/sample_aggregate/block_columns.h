// Columns of a data frame as a function of blocks sees them: clamped, imputed, in random order.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/domains/bounded_column.h"
#include "core/engine/frame.h"
#include "core/random/bit_source.h"

namespace dp {

// The columns of `frame`, all in one random order of its rows. With `rows`, superfluous rows are
// dropped and those that are not there count as missing. Each row is read by itself: NaN becomes a
// uniform draw between the bounds of imputation, from the lattice of the bounds or from the whole
// numbers, and the rest is clamped.
std::vector<std::vector<double>> block_columns(const Frame& frame,
                                               const std::vector<BoundedColumn>& columns,
                                               std::optional<std::size_t> rows,
                                               BitSource& bits);

}  // namespace dp
