#include "core/random/gaussian_strips.h"

#include "core/numeric/int128.h"
#include "core/random/neg_log.h"

namespace dp {
namespace {

constexpr unsigned kUnitBits = 57;
constexpr std::uint64_t kLn2Above = 0x162E42FEFA39EF4;  // 2^57 ln 2, rounded up

// With this lowest height, 255 strips of equal area end at 1. A different height affects only
// speed.
constexpr std::uint64_t kLowest = 5624642369657400;

// floor(sqrt(x)) for x < 2^120, digit by digit.
std::uint64_t whole_root(uint128_t x) {
  uint128_t root = 0;
  for (int digit = 59; digit >= 0; --digit) {
    const uint128_t larger = root | uint128_t{1} << digit;
    if (larger * larger <= x) root = larger;
  }
  return static_cast<std::uint64_t>(root);
}

// sqrt(-2 ln(height / 2^62)) for 0 < height < 2^62.
RadiusBounds radius_at(std::uint64_t height) {
  const FixedInterval log = neg_log(height << 2, 0);
  const auto root = [](std::uint64_t l) { return whole_root(uint128_t{l} << (kUnitBits + 1)); };
  return {root(log.lower), root(log.upper) + 1};
}

// A strip of radius z that rises by h has half the area z h. The tail adds twice the lowest height
// times the distance of halving on either side.
GaussianStrips make_strips() {
  GaussianStrips strips;
  strips.height[0] = kLowest;
  strips.radius[0] = radius_at(kLowest);
  const RadiusBounds& lowest = strips.radius[0];
  strips.halving =
      static_cast<std::uint64_t>((uint128_t{kLn2Above} << kUnitBits) / lowest.lower) + 1;
  const uint128_t area = uint128_t{kLowest} * (lowest.upper + 2 * strips.halving);
  constexpr std::size_t kTop = GaussianStrips::kCount - 1;
  for (std::size_t k = 1; k < kTop; ++k) {
    const auto rise = static_cast<std::uint64_t>(area / strips.radius[k - 1].upper);
    strips.height[k] = strips.height[k - 1] + rise;
    strips.radius[k] = radius_at(strips.height[k]);
  }
  strips.height[kTop] = std::uint64_t{1} << GaussianStrips::kHeightBits;
  strips.radius[kTop] = {0, 0};
  return strips;
}

const GaussianStrips kStrips = make_strips();

}  // namespace

const GaussianStrips& gaussian_strips() { return kStrips; }

}  // namespace dp
