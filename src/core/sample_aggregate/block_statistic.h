// Statistics of the rows of one block: exact integers in, the nearest integer out.
//
// Rows are integers on the public lattice, in steps of 2^i within [low, high]; results are integers
// in steps of 2^j, the lattice of the statistic's range. W = high - low, m is the number of rows,
// and x -> floor(x + 1/2) the rounding, where ties go up.
//
//   statistic                  sensitivity D of one replaced row    range
//   mean                       ceil(W 2^(i-j) / m)                  range of the rows
//   median                     ceil(W 2^(i-j))                      range of the rows
//   variance, divisor m - 1    ceil(W^2 2^(2i-j) / m)               [0, W^2 2^(2i-j) c], see below
//
// Proof. Let the exact statistic move by at most d. Rounding is monotone and commutes with whole
// steps, so the rounded one moves by at most ceil(d). (Rounding ties to even does not commute: 0.5
// and 1.5 go to 0 and 2.) The sum moves by at most W, the mean by W / m. The median stays within
// the range. A replaced row moves the variance by at most W^2 / m: with a the mean of the others
// (scaled to [0, 1]), variance = const + (y - a)^2 / m, and (y - a)^2 is in [0, 1]. It is largest
// if half of the rows, or nearly so, are at each end: c = m / (4 (m - 1)) for even m, (m + 1) / (4
// m) for odd m. All of it decreases in m, so the smallest block decides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/domains/domain.h"
#include "core/numeric/lattice.h"
#include "core/sample_aggregate/block_sums.h"
#include "core/shuffle/block_shape.h"

namespace dp {

enum class BlockFunction { mean, median, variance };

// Reads "mean", "median" or "var"; throws type_parse.
BlockFunction parse_block_function(const std::string& name);

// Integers lower, ..., upper in steps of `lattice`.
struct LatticeRange {
  Lattice lattice;
  std::int64_t lower;
  std::int64_t upper;

  std::int64_t width() const { return upper - lower; }
};

// The rows of bounded `atom`, an f64 on its public lattice or an i64 in steps of 1. Throws `type`
// for another carrier, make_transformation without bounds or for integers beyond 2^53, where
// squares might not fit.
LatticeRange range_of_rows(const AtomDomain& atom);

// The number of rows, their sum and their sum of squares.
struct BlockMoments {
  std::size_t count;
  int128_t sum;
  Integer squares;
};

class BlockStatistic {
 public:
  // Throws make_transformation for a variance of fewer than two rows, make_domain if the range of
  // results is too wide for a double.
  BlockStatistic(BlockFunction function, const LatticeRange& rows, const BlockShape& shape);

  const LatticeRange& range() const { return range_; }
  std::int64_t sensitivity() const { return sensitivity_; }

  BlockFunction function() const { return function_; }

  // The statistic of `size` rows within their range, one of the sizes in the shape. Reorders the
  // rows.
  std::int64_t operator()(std::int64_t* rows, std::size_t size) const;

  // The mean and the variance of rows, from the sums of their distances to the lower end of their
  // range.
  std::int64_t operator()(const BlockSum& above) const;
  std::int64_t operator()(const BlockSquares& above) const;

  // Whichever of the two it is, from moments of the rows as they are.
  std::int64_t operator()(const BlockMoments& moments) const;

 private:
  std::int64_t mean(int128_t sum, std::size_t count) const;
  std::int64_t variance(const Integer& sum, const Integer& squares, std::size_t count) const;
  std::int64_t median(std::int64_t* rows, std::size_t size) const;
  int shift(int power) const;

  BlockFunction function_;
  LatticeRange rows_;
  LatticeRange range_;
  std::int64_t sensitivity_;
};

}  // namespace dp
