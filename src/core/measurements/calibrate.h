// The least noise that keeps a promise.
#pragma once

#include <functional>
#include <string>

#include "core/measurements/measurement.h"
#include "core/numeric/least_value.h"

namespace dp {

// An argument of a constructor, scale or threshold: as it grows, the loss falls, or stays as it is.
struct FreeArgument {
  std::string name;
  Values values;
};

struct Calibrated {
  double value;
  Measurement measurement;  // at this value
};

// The least value of an argument at which what `make` makes loses at most `loss` at a distance of
// `d_in`, part by part where a loss has two. The measurement's map is the only judge: at the value
// that is found it is within `loss`, at the one before it is not (least_value.h). A value that the
// constructor or its map refuses is not within.
//
// Throws invalid_distance for a loss that is negative or not finite, or has another form than the
// measurement's; search if no finite value will do; the first refusal, if there were nothing but
// refusals; and what else `make` and its map throw.
Calibrated calibrate(const FreeArgument& free,
                     const std::function<Measurement(double value)>& make,
                     const Distance& d_in,
                     const Distance& loss);

}  // namespace dp
