// A noisy tree of counts to the leaves that fit all of its nodes best.
#pragma once

#include <cstdint>

#include "core/domains/atom_type.h"
#include "core/engine/function.h"

namespace dp {

// From rows of integers of type `input_type`, a tree laid out as make_b_ary_tree does
// (b_ary_tree.h), to its leaves as floats of type `output_type`: the estimate of least variance
// from all nodes if each has independent noise of one variance. Leaves missing at the end count as
// exactly 0 and are left out.
//
// First, from the leaves up, each node becomes the average of itself and the sum of its children,
// weighted by precision. Then, from the root down, what a node has more than its children together
// is shared among them in proportion to their variances.
// Source: Hay, Rastogi, Miklau and Suciu (2010), "Boosting the accuracy of differentially private
// histograms through consistency", VLDB; Honaker (2015), "Efficient use of differentially private
// binary trees".
//
// Throws make_transformation if `branching_factor` is below 2, `type` unless `input_type` is an
// integer and `output_type` a float. Invoked on other rows: failed_cast; on none: failed_function.
Function make_consistent_b_ary_tree(std::uint64_t branching_factor,
                                    AtomType input_type,
                                    AtomType output_type);

}  // namespace dp
