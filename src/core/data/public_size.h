// The public part of membership: how many rows or bits a domain declares.
#pragma once

#include "core/data/value.h"

namespace dp {

// Whether `value` has the number of rows or bits that the domain declares, if it does. Reads no
// cell.
bool has_public_size(const Value& value, const Domain& domain);

}  // namespace dp
