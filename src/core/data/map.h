// Building maps.
#pragma once

#include "core/data/value.h"

namespace dp {

// The map from `keys` to the `values` at the same indices, its entries sorted by key (text byte by
// byte): the form of the map does not depend on the order of insertion. Keys and values are copied.
//
// Throws failed_function, without details, if there are nulls, repeated keys, or unequal numbers of
// values and keys; `type` if keys are floats, which have no total equality.
MapPtr sorted_map(const Column& keys, const Column& values);

}  // namespace dp
