// Whether a value is in a domain.
#pragma once

#include "core/engine/value.h"

namespace dp {

// Only ever asked by the user: invoking an object tests nothing. Throws failed_cast if `value` has
// another carrier type, failed_function for a NaN in a bounded domain, where order has no answer,
// and not_implemented for domains whose members the core does not read.
bool member(const Domain& domain, const Value& value);

}  // namespace dp
