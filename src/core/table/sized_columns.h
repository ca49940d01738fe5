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

// The columns of `frame` of these names, which are of f64, all in one order of its rows. With
// `size`, superfluous rows are dropped at random, and those that are not there are NaN. Refuses, as
// what is outside of its domain, a frame whose columns differ in length.
std::vector<ColumnPtr> sized_columns(const Frame& frame,
                                     const std::vector<std::string>& names,
                                     std::optional<std::size_t> size,
                                     RowOrder order);

}  // namespace dp
