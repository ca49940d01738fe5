// The function of thresholded noise: map to grid, plus one draw for each entry, back to a map.
#pragma once

#include <memory>

#include "core/domains/atom_type.h"
#include "core/engine/function.h"
#include "core/measurements/noise_stage.h"
#include "core/measurements/threshold.h"

namespace dp {

// The function for a map with values of type `type`, see noise_threshold.h. One draw per entry,
// whether it is kept or not.
Function threshold_noise(AtomType type,
                         int k,
                         std::shared_ptr<const GridNoise> noise,
                         Threshold threshold);

}  // namespace dp
