// Sample and aggregate for any function, of several columns and with several results.
//
// Rows go into k blocks (block_design.h). A function gives p numbers for each block. Number j of
// every block is clamped to the declared range [a_j, b_j] and rounded to the lattice of that range,
// a failure becomes the middle, and measurement j releases the k numbers. A measurement under
// symmetric distance gets the numbers of blocks without a failed number.
//
// Privacy: one replaced row (added or removed, with labels) changes at most J blocks, the overlap
// of the design, whatever the function is. The function is called on all blocks, and each result
// may depend only on its block. So at a distance of c rows number j moves in at most c J blocks,
// and by at most c J D_j in all, where D_j is the width of the range in steps, or less if the user
// promises that. For the numbers of blocks that did not fail, each changed block can add one and
// remove one: their symmetric distance is at most 2 c J. The loss is the sum over j of the loss of
// measurement j at its distance, rounded up.
//
// Source: Nissim, Raskhodnikova and Smith (2007), "Smooth Sensitivity and Sampling in Private Data
// Analysis", section 4.
#pragma once

#include <vector>

#include "core/measurements/composable.h"
#include "core/sample_aggregate/block_output.h"
#include "core/sample_aggregate/block_results.h"

namespace dp {

// From data frames under change-one distance, or symmetric distance for a design of labels, to the
// tuple of the releases of `measurements`. Measurement j takes vectors of k i64 within the steps of
// output j, under change-one distance or L1Distance(i64), or of any size under symmetric distance.
// All have one measure whose losses add up: MaxDivergence, or ZeroConcentratedDivergence.
//
// Throws make_measurement unless measurements and outputs are equally many; domain_mismatch,
// metric_mismatch, measure_mismatch or `type` for other measurements.
Measurement make_block_aggregate(BlockResults results,
                                 std::vector<BlockOutput> outputs,
                                 std::vector<Composable> measurements);

}  // namespace dp
