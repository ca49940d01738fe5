#include "core/shuffle/random_bins.h"

#include <algorithm>
#include <cmath>

namespace dp {
namespace {

constexpr unsigned kBits = 21;  // of a draw: three from one word
constexpr unsigned kFraction = 16;
constexpr double kDeviations = 6;  // from the size of a bin, and from the end of the rest

}  // namespace

// A bin of c places is drawn by Binomial(n, (1 - p) / bins) elements, about c (1 - p) with a
// standard deviation below sqrt(c).
BinDraws::BinDraws(const BlockShape& bins) : none_(static_cast<std::uint16_t>(bins.blocks)) {
  const auto size = static_cast<double>(bins.smallest());
  const auto count = static_cast<double>(bins.blocks);
  const double unit = std::ldexp(1.0, -static_cast<int>(kBits));  // probability of one draw
  const double without = std::min(0.5, kDeviations / std::sqrt(size) + 1 / size + count * unit);
  factor_ = static_cast<std::uint64_t>(std::ldexp(count / (1 - without), kFraction));
  const auto rows = static_cast<double>(bins.rows);
  most_without_ = static_cast<std::size_t>(
      std::min(rows, 1 + rows * (without + unit) + kDeviations * std::sqrt(rows * without)));
}

void BinDraws::draw(std::uint16_t* bin, std::size_t count, BitSource& bits) const {
  constexpr std::uint64_t kMask = (std::uint64_t{1} << kBits) - 1;
  const auto bin_of = [&](std::uint64_t draw) {
    return static_cast<std::uint16_t>(
        std::min<std::uint64_t>((draw & kMask) * factor_ >> (kBits + kFraction), none_));
  };
  constexpr std::size_t kWords = 128;
  std::uint64_t words[kWords];
  const Wiper wiper(words, sizeof(words));
  while (count >= 3) {
    const std::size_t size = std::min(kWords, count / 3);
    bits.words(words, size);
    for (std::size_t i = 0; i < size; ++i, bin += 3) {
      bin[0] = bin_of(words[i]);
      bin[1] = bin_of(words[i] >> kBits);
      bin[2] = bin_of(words[i] >> 2 * kBits);
    }
    count -= 3 * size;
  }
  for (; count > 0; --count) *bin++ = bin_of(bits.word());
}

}  // namespace dp
