// The last step of a statistic: a noisy total in lattice steps to a mean as a double.
#pragma once

#include <cstdint>

#include "core/engine/function.h"
#include "core/numeric/lattice.h"

namespace dp {

// From a total of type i128, in steps of `total`, to the multiple of a step of `mean` that is
// nearest to total / count (ties up), as the nearest double. count >= 1.
//
// Exact integers up to that double, so a release is always a multiple of the public step. Noise
// that takes it beyond the doubles leaves it at the last such multiple.
Function lattice_mean(Lattice total, std::uint64_t count, Lattice mean);

}  // namespace dp
