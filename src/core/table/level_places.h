// Texts of a column as places in public levels.
#pragma once

#include <string>
#include <vector>

#include "core/data/column.h"

namespace dp {

// The index from 0 of each row's text in `levels`, of f64. NaN for other texts.
ColumnPtr places_of_texts(const Column& texts, const std::vector<std::string>& levels);

}  // namespace dp
