// Columns of a data frame as a function of blocks sees them: clamped, imputed, in random order.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/frame.h"
#include "core/random/bit_source.h"

namespace dp {

struct BlockColumn {
  std::string name;
  double lower;
  double upper;
  double impute_lower;  // within the bounds
  double impute_upper;
  bool whole;  // fractions are cut off, and draws are whole; infinities are missing
};

// Throws make_measurement unless names differ, bounds are finite and in order, and bounds of whole
// numbers are whole and below 2^53.
void check_block_columns(const std::vector<BlockColumn>& columns);

// The columns of `frame`, all in one random order of its rows. With `rows`, superfluous rows are
// dropped and those that are not there count as missing. Each row is read by itself: NaN becomes a
// uniform draw between the bounds of imputation, from the lattice of the bounds or from the whole
// numbers, and the rest is clamped.
std::vector<std::vector<double>> block_columns(const Frame& frame,
                                               const std::vector<BlockColumn>& columns,
                                               std::optional<std::size_t> rows,
                                               BitSource& bits);

}  // namespace dp
