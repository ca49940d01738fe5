// Rows that operators work on whenever they are read.
#pragma once

#include "core/engine/function.h"

namespace dp {

// The rows that `operators`, a function of row operators only, makes of `rows`. They must always
// make the same of the same row, and text that they give must not be a view of what they were
// given: their input lies in a buffer of its own.
ColumnPtr mapped_rows(ColumnPtr rows, const Function& operators);

}  // namespace dp
