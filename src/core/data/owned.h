// Data that outlive the call that brought them.
#pragma once

#include "core/data/value.h"

namespace dp {

// `value` with all of its rows in memory of the core: what a queryable keeps. The original may be a
// view of memory of the calling language, which ends with the call or changes later.
Value owned(const Value& value);
ColumnPtr owned_rows(const ColumnPtr& rows);

}  // namespace dp
