// Sums of block results, with the number of successful blocks and sums of squares, in one joint
// release.
//
// A function gives P numbers for each of k blocks. Number i is clamped to its range and becomes an
// integer q on the lattice of the range (block_output.h). v = 2 q - lower - upper is twice its
// distance from the middle, in steps, so that u = v / N is in [-1, 1] with N the width in steps. A
// block fails if any of its numbers does: then rho = 0, otherwise rho = 1. With discrete Laplace
// noise, these are released:
//
//   the count    sum rho            noise of scale a = 2 l / (l - 1) s
//   sums         sum rho u_i                       b = 2 P s
//   squares      sum rho u_i^2                     l b
//
// with l = 4. Without squares, l is infinite, and a = 2 s. If failures are not dropped, rho = 1, a
// failed number has u = 0, k is public and not released, and l = 2.
//
// Privacy: 1 / s for each block whose numbers change. So c rows, each in at most J blocks
// (block_design.h), lose c J / s.
//   Proof. A block with u instead of u' moves number i by d = |u_i - u_i'|, and its square by d t,
//   t = |u_i + u_i'| <= 2 - d, because d + t = 2 max(|u_i|, |u_i'|). The loss of both,
//     d / b + d t / (l b) <= (d + d (2 - d) / l) / b,
//   grows in d up to 2, because l >= 2: it is at most 2 / b. All P of them lose 2 P / b = 1 / s.
//   Instead of a failed block, it moves the count by 1, and number i and its square by at most
//   1 each: 1 / a + P (1 + 1 / l) / b = ((1 - 1 / l) + (1 + 1 / l)) / (2 s) = 1 / s.
// Both bounds are attained. The sums have the same noise as if only a mean were released, so the
// squares and the count are free. Joint moments (measurements/joint_moments.h) of the same rows,
// with weights (2, 1), have scales 2.25, 2.25 and 9 for P = 1, where these are 8/3, 2 and 8. Less
// noise on the count is worth more of a sum only if the mean is within a seventh of the width of an
// end of the range.
//
// The loss law is a path (laplace_path_loss.h) of unit steps in each integer moment. The count
// makes a single step, with a loss of at most 1 / (2 s). The losses of the others are together at
// least that, so it does not count.
#pragma once

#include <cstddef>
#include <vector>

#include "core/measurements/measurement.h"
#include "core/numeric/rational.h"
#include "core/sample_aggregate/block_output.h"
#include "core/sample_aggregate/block_results.h"

namespace dp {

struct JointBlocksPlan {
  bool drops;    // blocks that fail, and releases their number
  bool squares;  // whether there are sums of these
  double scale;  // s
};

// Scales of the noise on moments of u.
struct JointBlocksScales {
  Rational count;
  Rational sum;
  Rational square;
};

JointBlocksScales joint_blocks_scales(std::size_t numbers, const JointBlocksPlan& plan);

// From what `results` takes to f64: the count, if failures are dropped, all sums, and all sums of
// squares, if there are any; in the units of the numbers about the middles of their ranges, the
// doubles next to exact rationals. Nothing is rounded between the integers and the noise.
//
// Throws make_measurement unless there is an output for each number, of a width above 0, and the
// scale is positive, finite, and leaves the noise well within the range of doubles; for 2^40 blocks
// or more. The map throws overflow.
Measurement make_joint_blocks(BlockResults results,
                              std::vector<BlockOutput> outputs,
                              const JointBlocksPlan& plan);

}  // namespace dp
