// Counts to the distribution function that they make.
#pragma once

#include "core/domains/atom_type.h"
#include "core/engine/function.h"

namespace dp {

// Rows of floats of type `type` to their running sums over the last of these. If that is 0, the
// result is NaN or infinite as the arithmetic has it.
//
// Throws `type` unless `type` is a float. Invoked on other rows: failed_cast; on none:
// failed_function.
Function make_cdf(AtomType type);

}  // namespace dp
