// Columns of a data frame, brought to a number of rows.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/data/frame.h"

namespace dp {

enum class RowOrder {
  as_given,  // while there are just as many rows as wanted
  random     // always
};

// The columns of `frame` with these names, of f64, all in one order of its rows. With `size`,
// superfluous rows are dropped at random, and added rows are NaN. A frame whose columns differ in
// length throws as a non-member of its domain.
std::vector<ColumnPtr> sized_columns(const Frame& frame,
                                     const std::vector<std::string>& names,
                                     std::optional<std::size_t> size,
                                     RowOrder order);

}  // namespace dp
