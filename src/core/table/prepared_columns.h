// Columns of a data frame as a function of blocks sees them: prepared, and in random order.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/data/frame.h"
#include "core/table/prepare.h"

namespace dp {

// The columns of `frame`, all in one random order of its rows, and prepared (prepare.h). With
// `rows`, superfluous rows are dropped and those that are not there count as missing.
std::vector<std::vector<double>> prepared_columns(const Frame& frame,
                                                  const std::vector<ColumnPreparation>& columns,
                                                  std::optional<std::size_t> rows);

// The same columns without imputation: cells are read by PresentCell, and all cells of a row that
// lacks a value are NaN.
std::vector<std::vector<double>> complete_columns(const Frame& frame,
                                                  const std::vector<ColumnPreparation>& columns,
                                                  std::optional<std::size_t> rows);

}  // namespace dp
