// Texts of a column as places in public levels.
#pragma once

#include <string>
#include <vector>

#include "core/data/column.h"

namespace dp {

// Of f64: from 0 the place of each row's text in `levels`, NaN of what is none of them.
ColumnPtr places_of_texts(const Column& texts, const std::vector<std::string>& levels);

}  // namespace dp
