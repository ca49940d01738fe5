// Snapping: released numbers to a coarser grid within bounds.
#pragma once

#include <vector>

#include "core/engine/function.h"

namespace dp {

// Of a release of one f64, or a vector of them, each number to the nearest multiple of `width`, a
// half upwards, and to those from `lowest` to `highest` times the width. A vector of one of these
// is for all numbers, a longer one for as many, and what stands behind these stays as it is.
//
// It sees nothing but a release, so it costs nothing. Source: Mironov (2012), "On Significance of
// the Least Significant Bits For Differential Privacy", for the rounding; the noise of the release
// must be exact already.
//
// Throws make_transformation unless there are as many of each and at least one, widths are positive
// and finite, and ends whole and in order; the function failed_function if there are too few
// numbers.
Function snap(const std::vector<double>& width,
              const std::vector<double>& lowest,
              const std::vector<double>& highest);

}  // namespace dp
