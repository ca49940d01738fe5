// Finds the least noise for a given privacy loss.
#pragma once

#include <functional>
#include <string>

#include "core/measurements/measurement.h"
#include "core/numeric/least_value.h"

namespace dp {

// An argument of a constructor, scale or threshold. As it grows, the loss does not increase.
struct FreeArgument {
  std::string name;
  Values values;
};

struct Calibrated {
  double value;
  Measurement measurement;  // at this value
};

// Finds the least argument value such that the measurement of `make` loses at most `loss` at
// distance `d_in`, part by part if a loss has two. Only the privacy map decides: at the result it
// is within `loss`, at the value before it is not (least_value.h). A value that the constructor or
// its map rejects is not within.
//
// Throws invalid_distance if the loss is negative, not finite, or of a different form than the
// measurement's; search if no finite value suffices; the first rejection, if every value was
// rejected; and other errors of `make` and its map.
Calibrated calibrate(const FreeArgument& free,
                     const std::function<Measurement(double value)>& make,
                     const Distance& d_in,
                     const Distance& loss);

}  // namespace dp
