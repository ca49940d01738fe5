// A coin with an exact bias whose flip takes the same steps for either side.
#pragma once

#include <cstdint>
#include <vector>

#include "core/random/bit_source.h"

namespace dp {

// True with probability p, exactly the double in [0, 1].
//
// The algorithm of bernoulli(double, BitSource&): the answer is the bit of p at the position of the
// first set bit in a stream of fair ones. Here every flip reads one fair bit for each bit of p, a
// public number, and looks at all of them without a branch.
class ConstantTimeBernoulli {
 public:
  // Throws failed_function unless p is in [0, 1].
  explicit ConstantTimeBernoulli(double p);

  bool draw(BitSource& bits) const;

  // Number of fair bits that a flip reads: at most 1074.
  unsigned cost() const { return cost_; }

 private:
  bool certain_;  // p = 1, which has no bit behind the point
  unsigned cost_ = 0;
  std::vector<std::uint64_t> digits_;  // of p behind the point, 64 at a time, the first on top
};

}  // namespace dp
