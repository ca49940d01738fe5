// The linear model of the first of several columns, from their released joint moments.
#pragma once

#include <vector>

#include "core/measurements/joint_residuals.h"

namespace dp {

// Least squares (least_squares.h) of the first column by the others, in scaled units, from what
// make_joint_moments() released of `columns` by `plan`, which has products; weighted ones if rows
// have weights, the last column, which is none of the others. The cap is 64 times the
// cautious variance of residuals: eight standard deviations, which few residuals exceed.
//
// Throws failed_function if `moments` are not as many as the plan releases.
ResidualFit joint_fit(const std::vector<ColumnSpec>& columns,
                      const JointPlan& plan,
                      bool intercept,
                      const std::vector<double>& moments);

}  // namespace dp
