// Mean, median and variance of a single column, in exact integers, for blocks of any design.
//
// One row moves the result of a block by at most D. In designs with a public number of rows a row
// is replaced, and D is the D of the smallest block (block_statistic.h). With labels a row is added
// to a block of any size, or removed. With R the width of the column's bounds, and results rounded
// to steps:
//
//   mean, median    D = R / 2
//   variance        D = the width of its range
//
// If rows that lack a value are dropped from designs with a public number of rows, a replaced row
// can also leave its block, or enter it. Let m be the number of positions in the smallest block,
// and c = ceil(m / 2). If a block has fewer than c rows, its mean counts the middle of the range
// for each missing row up to c.
//
//   mean            D = R / c
//   median          D = R
//   variance        D = the width of its range
//
// Proof. The mean of N >= c rows, including replacements, moves by at most R / N if one of them is
// replaced. A row x that leaves N > c rows moves their mean a by (x - a) / (N - 1). Because |x - a|
// <= R (N - 1) / N, this is at most R / N. A row that leaves c rows, or fewer, is replaced by the
// middle.
//
// Proof of the first table. Adding x to m >= 1 rows moves their mean a by (x - a) / (m + 1). The
// median of an even number is the middle of two neighbours in order, and the new one is between
// them; the median of an odd number becomes the middle of itself and a neighbour. An empty block
// counts as the middle of the range, R / 2 from either end. For the variance a block of no or one
// row counts as the middle of the range, as failures do. The range is the one of larger blocks, so
// results of smaller ones are clamped to it: from two rows to three the variance can rise by R^2 /
// 3, which is more than the width of about R^2 / 4.
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
