// Which of many bins an element goes to: independent draws, a few bits each.
//
// To put the elements 0, ..., n-1 into bins of fixed sizes at random, each draws a bin, or, with a
// small probability, none. If no bin has become too full, those without one, in random order, take
// the places that are left; else everything is drawn again.
//
// Every assignment with these sizes is equally likely, whatever the probabilities of the bins: the
// draws are independent and alike, the condition is on numbers, and the order is uniform, so to
// give the elements other names does not change the law; and any assignment becomes any other one
// under some renaming. The probabilities only decide how often all is drawn again, and that happens
// without a look at the data.
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

  // The bins of the next `count` elements; `bins` stands for none.
  void draw(std::uint16_t* bin, std::size_t count, BitSource& bits) const;

  // With more elements than that without a bin, all should be drawn again as well.
  std::size_t most_without() const { return most_without_; }

 private:
  std::uint16_t none_;
  std::uint64_t factor_;  // bins / probability of any, in units of 2^-16
  std::size_t most_without_;
};

}  // namespace dp
