// Valid noise scales.
#pragma once

#include "core/error.h"
#include "core/numeric/rational.h"

namespace dp {

// The scale as an exact number. Throws make_transformation unless it is finite, make_measurement if
// it is negative.
Rational checked_scale(double scale);

}  // namespace dp
