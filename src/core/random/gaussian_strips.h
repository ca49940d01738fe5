// The bell curve exp(-z^2 / 2) cut into horizontal strips, for the ziggurat at any scale.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/random/alias_table.h"

namespace dp {

// Encloses z, in units of 2^-57.
struct RadiusBounds {
  std::uint64_t lower;
  std::uint64_t upper;
};

// Strip k reaches from floor(k) to height[k], in units of 2^-62.
struct GaussianStrips {
  static constexpr std::size_t kCount = AliasTable::kSize;
  static constexpr unsigned kHeightBits = 62;

  std::array<std::uint64_t, kCount> height;  // rising to 2^62
  std::array<RadiusBounds, kCount> radius;   // where the curve passes that height
  // Beyond the lowest radius the curve falls by half over this distance, or less; 2^-57.
  std::uint64_t halving;

  std::uint64_t floor(std::size_t k) const { return k == 0 ? 0 : height[k - 1]; }
  std::uint64_t rise(std::size_t k) const { return height[k] - floor(k); }
};

// Strips of equal area, the lowest with an envelope of the tail; computed when the program starts,
// in integers.
const GaussianStrips& gaussian_strips();

}  // namespace dp
