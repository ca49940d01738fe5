// Counts to a tree of counts: every node the sum of its children, which noise can be added to and
// which then answers every range with few nodes.
//
// Stability, for k layers. Saturating sums move no further than exact ones: x -> clamp(x + y) is
// increasing and 1-Lipschitz in x and y together.
//
//   L1   d_out = k d_in: the changes in a layer add up to no more than those in the leaves
//   L2   d_out = c d_in, c = max(k, ceil(sqrt(sum over layers of min(s, leaf_count)))), where s is
//        the number of leaves below a node of the layer
//
// In L2, a node's change is at most sqrt(m) times the norm of the changes in its m leaves (Cauchy
// and Schwarz), with equality if all leaves move alike, which also attains every layer's bound at
// once: c is the operator norm, rounded up. Published is k for L2 too, which is less than the truth
// for more leaves than a few (16 leaves of a binary tree, each moved by one: 22.3 where 5 * 4 = 20
// is claimed).
#pragma once

#include <cstdint>

#include "core/transformations/transformation.h"

namespace dp {

// From vectors of integers to the least tree with `leaf_count` leaves whose inner nodes have
// `branching_factor` children. Layers from the root down, each from left to right; the surplus
// leaves at the end are left out. Input beyond `leaf_count` is ignored; missing input counts as 0
// and is left out at the end of the result too. Sums saturate at the limits of the type. The output
// domain has neither bounds nor size.
//
// Throws make_transformation if `leaf_count` is 0, `branching_factor` below 2 or the tree larger
// than 2^40 nodes; failed_cast if rows may be null; `type` unless rows are integers of at most 64
// bits and the metric is L1 or L2. At map time: overflow, failed_cast.
Transformation make_b_ary_tree(const Domain& input_domain,
                               const Metric& input_metric,
                               std::uint64_t leaf_count,
                               std::uint64_t branching_factor);

// The branching factor that answers ranges over about `size_guess` leaves best: of b = 2, ...,
// size_guess the first that minimises (b - 1) h^3 - 2 (b + 1) h^2 / 3, h = log_b(size_guess), the
// variance of a range up to a factor; `size_guess` itself if that is below 2.
// Source: Qardaji, Yang and Li (2013), "Understanding hierarchical methods for differentially
// private histograms", VLDB.
std::uint32_t choose_branching_factor(std::uint32_t size_guess);

}  // namespace dp
