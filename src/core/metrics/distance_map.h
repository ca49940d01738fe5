// Maps from the distance of inputs to the distance of outputs.
#pragma once

#include <functional>

#include "core/metrics/distance.h"

namespace dp {

// d_in to d_out, rounded toward more, or an error.
using DistanceMap = std::function<Distance(const Distance&)>;

// Whether no number in `distance` is negative or NaN. Curves and profiles check their own points,
// and user-defined distances cannot be checked.
bool is_distance(const Distance& distance);

// `map`, but throws failed_map with the `refusal` in place of a result that is no distance; so do
// the Renyi curves among its results, at the orders where they are asked. A loss below 0 would pay
// for other releases, and one of NaN compares with nothing.
DistanceMap checked_map(DistanceMap map, const char* refusal);

}  // namespace dp
