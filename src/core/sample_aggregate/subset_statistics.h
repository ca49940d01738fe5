// Statistics of disjoint random blocks of rows: the first half of sample and aggregate.
//
// Rows of a public number n are dealt into k blocks whose sizes differ by at most one, every such
// partition equally likely; the result has one integer for each block, in steps of a public power
// of two.
//
// Stability. Let datasets differ by c replaced rows: c = d_in under change-one distance, and
// c = floor(d_in / 2) under symmetric distance, since both have n rows. Deal both alike, a replaced
// row where the row was that it replaces: in every dealing at most c of the results differ,
//
//   Hamming distance   d_out = c
//
// and, replaced one after the other, each row moves the result of its block by at most D,
//
//   L1 distance        d_out = c D
//
// D is that of the smallest block (block_statistic.h), or, if nothing is known of the function, the
// width of its range. That the dealing is random matters for accuracy, and so that the order of the
// rows, which these distances do not see, does not decide anything.
// Source: Nissim, Raskhodnikova and Smith (2007), "Smooth Sensitivity and Sampling in Private Data
// Analysis", section 4.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

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

// A function of the rows of one block, in random order, as doubles within the bounds; NaN says that
// it has failed.
using UserBlockFunction = std::function<double(const double*, std::size_t)>;

// The same for any function with results declared to lie in [lower, upper]. A result outside is
// moved to the nearer end, a failure to the middle, and the rest is rounded to the lattice of these
// bounds. D is the width of the range, or, if `sensitivity` is given and smaller, that: how far one
// replaced row can move a result, which then is the caller's promise.
//
// `function` is called on the calling thread, block after block, and should not remember one block
// when it sees the next: the guarantee is for functions of one block.
//
// Throws in addition make_domain unless the range is finite and ordered, make_transformation for a
// sensitivity that is negative or NaN.
Transformation make_user_subset_statistics(const Domain& input_domain,
                                           const Metric& input_metric,
                                           UserBlockFunction function,
                                           double lower,
                                           double upper,
                                           std::optional<double> sensitivity,
                                           std::uint64_t blocks,
                                           const Metric& output_metric);

}  // namespace dp
