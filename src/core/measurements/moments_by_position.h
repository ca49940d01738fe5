// Moments of groups of rows of public sizes, side by side.
//
// Which row is in which group is public: the first n_1 rows are the first group, the next n_2 the
// second. Neighbours differ in one row at one place, so in one group. Of each group the moments of
// joint_moments.h are released, with its noise.
//
//   Proof. Of d rows that are replaced, d_g lie in group g. Its moments lose d_g epsilon at most,
//   and those of all groups, whose noise is independent, d epsilon. So it is with laws: those of
//   groups are paths (laplace_path_loss.h) with equal steps, for these depend on columns and
//   epsilon alone, and one path after the other is a path.
//
// That is parallel composition (McSherry 2009, Theorem 4), of rows that cannot change their group.
// Where groups are private, see class_moments.h.
#pragma once

#include <vector>

#include "core/measurements/joint_moments.h"

namespace dp {

// From vectors of f64, NaN where a value is missing, of as many rows as `sizes` add up to, under
// the Hamming distance, to the moments of each group, one group after the other. The name of the
// column is not looked at, and nor is the `n` of the plan.
//
// Throws make_measurement as make_joint_moments() does of each group, and unless there are 1 to
// 1000 of these.
Measurement make_moments_by_position(const ColumnSpec& column,
                                     const JointPlan& plan,
                                     const std::vector<std::uint64_t>& sizes);

}  // namespace dp
