// The lesser of a geometric number and a bound, in a number of steps that depends on the bound's
// length alone.
#pragma once

#include <cstdint>
#include <vector>

#include "core/numeric/int128.h"
#include "core/numeric/rational.h"
#include "core/random/bit_source.h"

namespace dp {

// min(G, bound), where P[G = g] = p q^g, q = 1 - p: the failures of p-coins before the first
// success.
//
// The binary digits of G are independent, and digit i is 1 with probability q^(2^i) / (1 +
// q^(2^i)), because P[G = g] = p q^g is a product over the digits of g. Above L digits there is a
// multiple of 2^L, independent of them, and above 0 with probability q^(2^L). So L + 1 coins make
// min(G, 2^L - 1), and L is the length of the bound.
//
// A coin compares two words of a uniform, without a branch, with an interval of at most 3 units of
// 2^-128 around its probability. Only if they are in the interval, with probability below 2^-126,
// it draws more of the uniform and computes more of its probability, until the answer is certain.
// So the law is exact, and otherwise no step depends on the outcome.
class TruncatedGeometric {
 public:
  // p in (0, 1], exactly the double.
  TruncatedGeometric(double p, uint128_t bound);

  uint128_t draw(BitSource& bits) const;

  struct Interval {
    Integer lower;
    Integer upper;
  };

  // 2^bits times the probability that digit i is 1 (i < digits()), or that there is anything above
  // all digits (i = digits()).
  Interval probability(unsigned i, unsigned bits) const;

  unsigned digits() const { return static_cast<unsigned>(coins_.size()) - 1; }

 private:
  // Two words below `lower` say yes, those above `last` no.
  struct Coin {
    uint128_t lower;
    uint128_t last;
  };

  bool flip(unsigned i, BitSource& bits) const;
  bool decide(unsigned i, uint128_t prefix, BitSource& bits) const;

  Rational q_;
  uint128_t bound_;
  std::vector<Coin> coins_;
};

}  // namespace dp
