// Statistics of disjoint random blocks of rows: the first half of sample and aggregate.
//
// Rows of a public number n are dealt into k blocks whose sizes differ by at most one, every such
// partition equally likely; the result has one integer for each block, in steps of a public power
// of two.
//
// Stability: let datasets differ by c replaced rows: c = d_in under change-one distance, and c =
// floor(d_in / 2) under symmetric distance, because both have n rows. Deal both alike, with each
// replaced row at the position of its replacement. In every dealing at most c of the results
// differ,
//
//   Hamming distance   d_out = c
//
// and, replaced one after the other, each row moves the result of its block by at most D,
//
//   L1 distance        d_out = c D
//
// D is the D of the smallest block (block_statistic.h). The dealing is random for accuracy, and so
// that the order of the rows, which these distances ignore, does not matter.
//
// Source: Nissim, Raskhodnikova and Smith (2007), "Smooth Sensitivity and Sampling in Private Data
// Analysis", section 4.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/sample_aggregate/block_statistic.h"
#include "core/transformations/transformation.h"

namespace dp {

// From vectors of known size of bounded f64 or i64, under change-one or symmetric distance, to
// vectors of `blocks` i64 within block_statistic_of(...).range(), under `output_metric`:
// L1Distance(i64) or HammingDistance. Everything from the rows' lattice on is exact integers.
//
// Throws what range_of_rows() and BlockStatistic throw; make_transformation without a size or
// unless 1 <= blocks <= size; `type` for other metrics. Invoked on another number of rows, the
// function throws failed_function with one fixed sentence; rows beyond the bounds are clamped.
Transformation make_subset_statistics(const Domain& input_domain,
                                      const Metric& input_metric,
                                      BlockFunction function,
                                      std::uint64_t blocks,
                                      const Metric& output_metric);

// The statistic that make_subset_statistics() computes, for its range and lattice.
BlockStatistic block_statistic_of(const Domain& input_domain,
                                  BlockFunction function,
                                  std::uint64_t blocks);

}  // namespace dp
