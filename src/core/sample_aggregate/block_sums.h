// Sums over random blocks of rows, in one pass and without a copy of the rows.
//
// Blocks are the bins of shuffle/random_bins.h. A row that draws a block is added to its sums and
// forgotten; only the rows that draw none are kept until the end, about 6 sqrt(n k) of n rows in k
// blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/numeric/int128.h"
#include "core/shuffle/random_partition.h"

namespace dp {

// Exact sums of numbers below 2^54 each, fewer than 2^64 of them.
struct BlockSum {
  uint128_t sum = 0;
  std::uint64_t count = 0;

  void add(std::uint64_t x) {
    sum += x;
    ++count;
  }
  void add(const BlockSum& other) {
    sum += other.sum;
    count += other.count;
  }
};

// Their squares as well, whose sum is squares + 2^128 carries.
struct BlockSquares : BlockSum {
  uint128_t squares = 0;
  std::uint64_t carries = 0;

  void add(std::uint64_t x) {
    BlockSum::add(x);
    add_squares(static_cast<uint128_t>(x) * x);
  }
  void add(const BlockSquares& other) {
    BlockSum::add(other);
    add_squares(other.squares);
    carries += other.carries;
  }

 private:
  void add_squares(uint128_t more) {
    squares += more;
    carries += squares < more ? 1 : 0;
  }
};

// Whether block_sums() pays: if not too many rows draw no block.
bool can_sum_blocks(const BlockShape& shape);

// The sums of every block of `shape`, each partition of the elements equally likely. Sums is
// BlockSum or BlockSquares.
template <class Sums>
std::vector<Sums> block_sums(const ElementRuns<std::uint64_t>& elements,
                             const BlockShape& shape,
                             std::size_t threads,
                             const ThreadBits& bits);

}  // namespace dp
