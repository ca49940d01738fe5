// Sample and aggregate for functions of any kind, of several columns and with several results.
//
// Rows go into k blocks (block_design.h). A function gives p numbers for each block; number j of
// every block is moved into the declared range [a_j, b_j] and rounded to the lattice of that range,
// a failure becomes the middle, and one measurement for each j makes a release of the k numbers.
// One under symmetric distance gets the numbers of those blocks of which no number failed.
//
// Privacy. One row that is replaced (or added or removed, of labels) changes J blocks at most, the
// overlap of the design, whatever the function is; it is called on all blocks, and each result may
// depend on its own block alone. So at a distance of c rows number j moves in at most c J blocks,
// and by c J D_j in all, where D_j is the width of the range in steps, or less if the caller
// promises that. To the numbers of blocks that did not fail each block that changes may add one,
// and take one away: their symmetric distance is 2 c J at most. What measurement j loses at that
// distance, added up over all j and rounded up, is the loss.
// Source: Nissim, Raskhodnikova and Smith (2007), "Smooth Sensitivity and Sampling in Private Data
// Analysis", section 4.
#pragma once

#include <vector>

#include "core/measurements/composable.h"
#include "core/sample_aggregate/block_output.h"
#include "core/sample_aggregate/block_results.h"

namespace dp {

// From data frames under change-one distance, or symmetric distance for a design of labels, to the
// tuple of what `measurements` release. Measurement j takes vectors of k i64 within the steps of
// output j, under change-one distance or L1Distance(i64), or of any size under symmetric distance;
// all are under one measure whose losses add up: MaxDivergence, or ZeroConcentratedDivergence.
//
// Throws make_measurement unless there are as many measurements as outputs; domain_mismatch,
// metric_mismatch, measure_mismatch or `type` for others.
Measurement make_block_aggregate(BlockResults results,
                                 std::vector<BlockOutput> outputs,
                                 std::vector<Composable> measurements);

}  // namespace dp
