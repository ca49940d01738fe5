// Building maps.
#pragma once

#include "core/data/value.h"

namespace dp {

// The map from `keys` to the `values` at the same places, its entries sorted by key (text byte by
// byte): the form of the map does not depend on the order in which it was filled. Keys and values
// are copied.
//
// Throws failed_function, saying no more, if there are nulls, repeated keys, or not as many values
// as keys; `type` if keys are floats, which have no total equality.
MapPtr sorted_map(const Column& keys, const Column& values);

}  // namespace dp
