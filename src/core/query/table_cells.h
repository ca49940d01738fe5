// The cells that a column has in a table of counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/expressions/field.h"

namespace dp::query {

// Levels, FALSE and TRUE, or all whole numbers within bounds; a cell of rows without a value is one
// of them. None for other columns, which have no cells.
std::optional<std::uint64_t> number_of_cells(const Field& field);

// A label for each cell; none for rows without a value. Empty without cells, and for more than
// limits::kCells.
std::vector<std::optional<std::string>> labels_of_cells(const Field& field);

}  // namespace dp::query
