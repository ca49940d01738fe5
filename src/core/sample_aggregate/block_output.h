// One number of each block: where it may lie, and how far one row moves it.
#pragma once

#include <cstdint>
#include <optional>

#include "core/sample_aggregate/block_statistic.h"

namespace dp {

// Where one number of each block may lie.
struct BlockOutput {
  // `sensitivity`, if given, is how far one replaced row can move a number that is one: the
  // caller's promise. A row may also make a block fail, or be its only one, and then the number is
  // or was the middle: it moves by half of the range, however little is promised. Throws
  // make_domain unless the bounds are finite and in order, make_transformation for a sensitivity
  // that is negative or NaN.
  BlockOutput(double lower, double upper, std::optional<double> sensitivity);
  // Output of numbers on a lattice, which move by at most `sensitivity` steps; magnitudes up to
  // 2^51.
  BlockOutput(const LatticeRange& range, std::int64_t sensitivity);

  // Upper bound of the total movement of the numbers of `blocks` blocks, changed by one row, in
  // steps.
  double move(std::uint32_t blocks) const;

  std::int64_t steps(double x) const;  // NaN counts as the middle

  LatticeRange range;
  std::int64_t sensitivity;  // D_j, in steps

 private:
  double lower_;
  double upper_;
};

}  // namespace dp
