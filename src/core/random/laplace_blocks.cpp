#include "core/random/laplace_blocks.h"

#include <algorithm>

namespace dp {
namespace {

// Below this scale nearly every draw is 0, and the error bound of the lanes is not claimed.
constexpr double kLeastLaneScale = 0x1p-10;

struct Block {
  std::uint64_t words[kLaneBlock] = {};
  std::uint64_t remainder_words[kLaneBlock] = {};
  std::int64_t drawn[kLaneBlock] = {};
  ~Block() { erase(this, sizeof(Block)); }
};

}  // namespace

LaplaceBlocks::LaplaceBlocks(const DiscreteLaplace& law)
    : law_(law),
      joined_(law.remainder_bits_ > 0),
      inversion_(law.quotient_->a(),
                 law.quotient_->b(),
                 joined_ ? Inversion::Law::geometric : Inversion::Law::folded,
                 law.remainder_bits_),
      lanes_{inversion_.approximate_scale(),
             static_cast<double>(inversion_.offset().lower) * 0x1p-57,
             joined_ ? std::uint64_t{0} : std::uint64_t{1}} {}

void LaplaceBlocks::fill(std::int64_t* out, std::size_t size, BitSource& bits) const {
  Block block;
  while (size > 0) {
    const std::size_t part = std::min(size, kLaneBlock);
    bits.words(block.words, part);
    if (lanes_.scale >= kLeastLaneScale) {
      laplace_lanes(lanes_, block.words, block.drawn, part);
    } else {
      std::fill_n(block.drawn, part, kUndecided);
    }
    if (joined_) {
      bits.words(block.remainder_words, part);
      join_lanes(law_.remainder_bits_, block.words, block.remainder_words, block.drawn, part);
      for (std::size_t i = 0; i < part; ++i) {
        out[i] = finish_joined(block.drawn[i], block.words[i], block.remainder_words[i], bits);
      }
    } else {
      for (std::size_t i = 0; i < part; ++i) {
        out[i] = finish_whole(block.drawn[i], block.words[i], bits);
      }
    }
    out += part;
    size -= part;
  }
}

// The lanes have applied the sign, the lowest bit of the word.
inline std::int64_t LaplaceBlocks::finish_whole(std::int64_t drawn,
                                                std::uint64_t word,
                                                BitSource& bits) const {
  if (drawn != kUndecided) return drawn;
  const std::int64_t magnitude = law_.join(inversion_.magnitude(word, bits), 0);
  return (word & 1) != 0 ? -magnitude : magnitude;
}

inline std::int64_t LaplaceBlocks::finish_joined(std::int64_t drawn,
                                                 std::uint64_t word,
                                                 std::uint64_t remainder_word,
                                                 BitSource& bits) const {
  if (drawn != kUndecided) return drawn;
  const std::uint64_t quotient = inversion_.magnitude(word, bits);
  const std::int64_t magnitude = law_.join(quotient, law_.remainder(remainder_word, bits));
  if ((word & 1) == 0) return magnitude;
  return magnitude != 0 ? -magnitude : law_.draw_int64(bits);
}

}  // namespace dp
