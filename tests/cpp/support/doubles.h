// Short names for common doubles, and columns of doubles.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "core/domains/domain.h"

namespace dp::test {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInf = std::numeric_limits<double>::infinity();

// Vectors of any doubles, including NaN.
inline Domain floats(std::optional<std::uint64_t> size = std::nullopt) {
  return vector_of(default_atom(AtomType::f64), size);
}

}  // namespace dp::test
