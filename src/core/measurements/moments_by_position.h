// Moments of row groups with public sizes, released together.
//
// The group of each row is public: the first n_1 rows are the first group, the next n_2 the second.
// Neighbours differ in one row at one position, so in one group. The moments of joint_moments.h are
// released for each group, with its noise.
//
// Privacy: of d replaced rows, d_g are in group g. Its moments lose at most d_g epsilon, and all
// groups, whose noise is independent, d epsilon. The same holds for loss laws: the laws of groups
// are paths (laplace_path_loss.h) with equal steps, which depend only on columns and epsilon, and
// one path after the other is a path.
//
// Source: parallel composition (McSherry 2009, Theorem 4), for rows that cannot change their group.
// For private groups, see class_moments.h.
#pragma once

#include <vector>

#include "core/measurements/joint_moments.h"

namespace dp {

// From vectors of f64, NaN for a missing value, whose size is the sum of `sizes`, under the
// Hamming distance, to the moments of each group, one group after the other. The name of the column
// and the `n` of the plan are ignored.
//
// Throws make_measurement as make_joint_moments() does for each group, and unless there are 1 to
// 1000 groups.
Measurement make_moments_by_position(const ColumnSpec& column,
                                     const JointPlan& plan,
                                     const std::vector<std::uint64_t>& sizes);

}  // namespace dp
