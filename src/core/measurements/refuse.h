// Errors of measurement constructors for invalid public arguments.
#pragma once

#include <string>

#include "core/error.h"

namespace dp {

[[noreturn]] inline void refuse_measurement(const std::string& sentence) {
  throw Error(ErrorKind::make_measurement, sentence);
}

// Throws make_measurement unless `holds`.
inline void require_measurement(bool holds, const char* sentence) {
  if (!holds) refuse_measurement(sentence);
}

}  // namespace dp
