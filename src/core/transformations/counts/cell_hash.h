// Unpredictable hashes of cells.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/numeric/int128.h"

namespace dp {

// If the hash were known, an adversary who adds rows could make them all collide in a hash table,
// and counting them would take quadratic time. So each process has random keys. No result depends
// on them, nor does the law of a release. But if the next stage takes keys in any order, it draws
// its noise in the order of the table.
class CellHash {
 public:
  // Of integers and bool: the mixing of SplitMix64 (Steele, Lea and Flood 2014), with a key before
  // each multiplication.
  std::uint64_t operator()(std::uint64_t cell) const {
    std::uint64_t z = cell + first_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = ((z + second_) ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // Of text: eight bytes at a time, each joined by a multiplication whose two halves are added
  // modulo 2.
  std::uint64_t operator()(std::string_view cell) const;

  // With the keys of this process, which come from the secure source. Throws entropy.
  static CellHash of_process();

 private:
  CellHash(std::uint64_t first, std::uint64_t second) : first_(first), second_(second | 1) {}

  std::uint64_t joined(std::uint64_t hash, std::uint64_t word) const {
    const uint128_t product = static_cast<uint128_t>(hash ^ word) * second_;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }

  std::uint64_t first_;
  std::uint64_t second_;  // odd
};

}  // namespace dp
