// One of 256 outcomes, with probabilities in proportion to integer weights, exactly and fast.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/numeric/int128.h"
#include "core/random/bit_source.h"
#include "core/random/neg_log.h"

namespace dp {

// Column i keeps a share keep(i) / total() of the words that point to it and passes the rest to
// alias(i). A word points to a column by its lowest 8 bits; the upper 24 begin the uniform that is
// compared with the share. Source: Walker (1977); the set-up is Vose's (1991), in integers.
class AliasTable {
 public:
  static constexpr std::size_t kSize = 256;
  using Weights = std::array<uint128_t, kSize>;

  // The weights must not all be 0, and 256 times their sum must be below 2^128.
  explicit AliasTable(const Weights& weights);

  struct Pick {
    std::size_t outcome;
    bool is_certain;
  };

  // The outcome for `word`, if its 24 bits decide: all but two words in 2^24.
  Pick pick(std::uint32_t word) const {
    const auto column = static_cast<std::uint8_t>(word);
    const std::uint64_t above = std::uint64_t{word >> 8} - threshold_[column];
    const auto passes = static_cast<std::uint8_t>((above >> 63) - 1);  // all ones, or 0 if below
    const auto other = static_cast<std::uint8_t>((column ^ alias_[column]) & passes);
    return {static_cast<std::size_t>(column ^ other),
            above + certified_slack >= 2 + 2 * certified_slack};
  }

  // The outcome for `word`, with more bits if it does not decide.
  std::size_t choose(std::uint32_t word, BitSource& bits) const;

 private:
  // floor(2^24 keep / total), or the integer below it
  std::array<std::uint32_t, kSize> threshold_;
  std::array<std::uint8_t, kSize> alias_;
  std::array<uint128_t, kSize> keep_;
  uint128_t total_;
};

}  // namespace dp
