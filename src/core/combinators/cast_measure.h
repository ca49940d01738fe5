// Shared code of casts between measures.
#pragma once

#include <string>
#include <utility>

#include "core/measurements/measurement.h"

namespace dp {

[[noreturn]] inline void refuse_measure(const Measure& measure, const char* allowed) {
  throw Error(ErrorKind::type,
              "No match for concrete type " + type_name(measure) + ". Allowed: " + allowed + ".");
}

// `measurement` under another measure, its losses converted. Domain, metric, function and the laws
// of the loss stay, unless others are given.
template <class Convert>
Measurement cast_measure(const Measurement& measurement,
                         Measure measure,
                         Convert convert,
                         LossMap laws) {
  return Measurement(measurement.input_domain(),
                     measurement.input_metric(),
                     std::move(measure),
                     measurement.function(),
                     measurement.privacy_map().then(std::move(convert)),
                     std::move(laws));
}
template <class Convert>
Measurement cast_measure(const Measurement& measurement, Measure measure, Convert convert) {
  return cast_measure(measurement, std::move(measure), std::move(convert), measurement.loss_map());
}

}  // namespace dp
