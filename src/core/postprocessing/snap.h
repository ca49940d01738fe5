// Snapping: released numbers to a coarser grid within bounds.
#pragma once

#include <vector>

#include "core/engine/function.h"

namespace dp {

// Rounds a release of one f64, or a vector of them, to the nearest multiple of `width`, ties up,
// and clamps it to `lowest` to `highest` times the width. A vector of one parameter is for all
// numbers. A longer one is for the first numbers, and the others do not change.
//
// Privacy: postprocessing, so it costs nothing.
//
// Source: Mironov (2012), "On Significance of the Least Significant Bits For Differential Privacy",
// for the rounding; the noise of the release must already be exact.
//
// Throws make_transformation unless the parameters are equally many and not empty, widths are
// positive and finite, and ends whole and in order; the function failed_function if there are too
// few numbers.
Function snap(const std::vector<double>& width,
              const std::vector<double>& lowest,
              const std::vector<double>& highest);

}  // namespace dp
