// Rows that operators work on whenever they are read.
#pragma once

#include "core/engine/function.h"

namespace dp {

// Applies `operators`, a function of only row operators, to the rows. Equal rows must have equal
// results, and a text result must not be a view of its input, which is in a reused buffer.
ColumnPtr mapped_rows(ColumnPtr rows, const Function& operators);

}  // namespace dp
