// The bin of each element: independent draws, a few bits each.
//
// To put the elements 0, ..., n-1 into bins of fixed sizes at random, each draws a bin, or, with a
// small probability, none. If no bin is too full, the elements without a bin, in random order, fill
// the remaining space. Otherwise everything is drawn again.
//
// Every assignment with these sizes is equally likely, whatever the probabilities of the bins: the
// draws are independent and identical, the condition is on numbers, and the order is uniform, so
// renaming the elements does not change the law; and some renaming turns any assignment into any
// other. The probabilities only affect the number of repetitions, which does not depend on the
// data.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/random/bit_source.h"
#include "core/shuffle/block_shape.h"

namespace dp {

class BinDraws {
 public:
  static constexpr std::size_t kMostBins = std::size_t{1} << 15;

  // At most kMostBins bins.
  explicit BinDraws(const BlockShape& bins);

  // The bins of the next `count` elements; the number `bins` means none.
  void draw(std::uint16_t* bin, std::size_t count, BitSource& bits) const;

  // If more elements than this have no bin, all should be drawn again as well.
  std::size_t most_without() const { return most_without_; }

 private:
  std::uint16_t none_;
  std::uint64_t factor_;  // bins / probability of any, in units of 2^-16
  std::size_t most_without_;
};

}  // namespace dp
