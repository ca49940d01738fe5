// Data frames with row weights.
#pragma once

#include "support/frames.h"

namespace dp::test {

// Data frame with the columns x, y and w.
inline Value weighted_frame(const Doubles& x, const Doubles& y, const Doubles& w) {
  const auto named = [](const char* name, const Doubles& rows) {
    return NamedColumn{Scalar(std::string(name)), make_column(AtomType::f64, rows)};
  };
  return std::make_shared<const Frame>(
      AtomType::string, std::vector<NamedColumn>{named("x", x), named("y", y), named("w", w)});
}

}  // namespace dp::test
