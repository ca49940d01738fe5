// Mean, median and variance of a single column, in exact integers, for blocks of any design.
//
// One row moves the result of a block by D at most. In designs of a public number of rows a row is
// replaced, and D is that of the smallest block (block_statistic.h). With labels a row is added to
// a block of any size, or removed. With R the width of the column's bounds, and results rounded to
// steps:
//
//   mean, median    D = R / 2
//   variance        D = the width of its range
//
// Where rows that lack a value are dropped from designs of a public number of rows, a replaced row
// may also leave its block, or come to it. Let m be the number of places in the smallest block, and
// c = ceil(m / 2). The mean of a block that has fewer than c rows counts the middle of the range
// for each row that it lacks of c.
//
//   mean            D = R / c
//   median          D = R
//   variance        D = the width of its range
//
// Proof. The mean of N >= c rows, those of the middle included, moves by at most R / N if one of
// them is replaced. A row x that leaves N > c rows moves their mean a by (x - a) / (N - 1), and as
// |x - a| <= R (N - 1) / N, by R / N at most. One that leaves c rows, or fewer, is replaced by the
// middle.
//
// Proof of the first table. Added to m >= 1 rows, x moves their mean a by (x - a) / (m + 1). The
// median of an even number is the middle of two neighbours in order, and the new one lies between
// them; that of an odd number becomes the middle of itself and a neighbour. An empty block counts
// as the middle of the range, R / 2 from either end. For the variance an empty or single row counts
// as the middle of the range, as failures do, and as the range is one of larger blocks, results of
// smaller ones are moved into it: from two rows to three it can rise by R^2 / 3, which is more than
// the width R^2 / 4 or so.
#pragma once

#include <cstddef>

#include "core/sample_aggregate/block_output.h"
#include "core/sample_aggregate/block_results.h"

namespace dp {

struct NamedBlocks {
  BlocksFunction function;
  BlockOutput output;
};

// `guess`: rows in a block of labels, which decides the range of variances alone. Other designs
// know their smallest block. Throws what BlockStatistic throws.
NamedBlocks named_blocks(BlockFunction function,
                         const ColumnSpec& column,
                         const BlockDesign& design,
                         std::size_t guess,
                         Gaps gaps = Gaps::imputed);

}  // namespace dp
