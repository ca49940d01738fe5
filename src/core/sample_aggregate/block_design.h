// Assignment of rows to blocks, drawn without the data.
//
//   partition      k disjoint blocks of nearly equal sizes             overlap 1
//   resampled      g independent partitions into k / g blocks each     overlap g
//   subsets        k blocks of m rows each, drawn without replacement  the most blocks of one row
//   labels         each row draws one of k labels                      overlap 1
//
// The overlap J is the largest number of blocks that any row is in, a public number, so one
// replaced row changes at most J blocks. Rows are first put into a random order: blocks belong to
// positions, not rows, so the original order does not matter. Labels need no public number of rows:
// an added row enters one block and does not affect any other.
//
// Source: Nissim, Raskhodnikova and Smith (2007), "Smooth Sensitivity and Sampling in Private Data
// Analysis", section 4; Mohan, Thakurta, Shi, Song and Culler (2012), "GUPT", for the second.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/random/bit_source.h"

namespace dp {

// Block b holds the places rows[ends[b - 1]] up to rows[ends[b]].
struct BlockPlaces {
  std::vector<std::uint32_t> rows;
  std::vector<std::size_t> ends;
};

class BlockDesign {
 public:
  // All throw make_transformation for numbers that do not fit: no blocks, more blocks than rows,
  // a subset larger than the data, 2^32 rows or more, or an overlap of 2^31 or more.
  static BlockDesign partitions(std::uint64_t rows, std::uint64_t blocks, std::uint64_t repeats);
  // Draws the subsets once and for all, since the overlap must be known in advance.
  static BlockDesign subsets(std::uint64_t rows,
                             std::uint64_t blocks,
                             std::uint64_t size,
                             BitSource& bits);
  static BlockDesign labels(std::uint64_t blocks);

  std::optional<std::size_t> rows() const { return rows_; }  // if their number is public
  std::size_t blocks() const { return blocks_; }             // k, of all partitions together
  std::uint32_t overlap() const { return overlap_; }
  // Rows in the smallest block, if the number of rows is public.
  std::optional<std::size_t> smallest() const;

  // The blocks of one release on `rows` rows in random order.
  BlockPlaces places(std::size_t rows, BitSource& bits) const;

 private:
  BlockDesign(std::optional<std::size_t> rows, std::size_t blocks, std::uint32_t overlap)
      : rows_(rows), blocks_(blocks), overlap_(overlap) {}

  std::optional<std::size_t> rows_;
  std::size_t blocks_;
  std::uint32_t overlap_;
  BlockPlaces drawn_;  // of subsets; else empty
};

}  // namespace dp
