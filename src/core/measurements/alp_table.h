// The table of bits behind approximate Laplace projection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/numeric/integer.h"
#include "core/random/bit_source.h"

namespace dp {

// A fixed hash of a key; collisions only cost accuracy.
std::uint64_t hash_of_key(std::string_view key);
std::uint64_t hash_of_key(std::uint64_t key);

class AlpTable {
 public:
  // 2^log2_size bits, all unset, and `hashes` random hash functions.
  AlpTable(unsigned log2_size, std::size_t hashes, BitSource& bits);

  // Sets the bits of the first r hashes, r = `value` rounded at random to floor or ceil, so that
  // its mean is `value`. All hashes if r is more.
  void add(std::uint64_t key_hash, const Rational& value, BitSource& bits);

  // Flips every bit with probability `p`.
  void flip(double p, BitSource& bits);

  // The mean of the places where the sum of the key's bits, read as +1 and -1, is greatest.
  double estimate(std::uint64_t key_hash) const;

 private:
  struct Hash {
    std::uint64_t factor;  // odd
    std::uint64_t shift;
  };

  std::uint64_t place(const Hash& hash, std::uint64_t key_hash) const {
    return log2_size_ == 0 ? 0 : (hash.factor * key_hash + hash.shift) >> (64 - log2_size_);
  }

  unsigned log2_size_;
  std::vector<Hash> hashes_;
  std::vector<bool> table_;
};

}  // namespace dp
