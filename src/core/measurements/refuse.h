// How constructors of measurements refuse their public arguments.
#pragma once

#include <string>

#include "core/error.h"

namespace dp {

[[noreturn]] inline void refuse_measurement(const std::string& sentence) {
  throw Error(ErrorKind::make_measurement, sentence);
}

// Refuses unless the argument is as it must be.
inline void require_measurement(bool holds, const char* sentence) {
  if (!holds) refuse_measurement(sentence);
}

}  // namespace dp
