// Joint moments, and then squares of residuals from a fit to them: the inputs of a linear model and
// the sandwich estimator of its errors.
//
// Two stages, each a release of the same rows:
//
//   1. The moments of all columns, the response first (joint_moments.h).
//   2. The weighted squares of scaled predictors (weighted_squares.h), with the weight of a row
//      rho = min(r^2 / cap, 1), r its residual at coefficients that a fit finds in the released
//      moments. A row with a gap has the weight 0. If rows have weights, r is the row's weight over
//      the largest, times the residual: the row's contribution to the gradient of weighted squares.
//
// Privacy: the weight is a function of its row and of the release of stage 1, because `fit` is a
// function of only that. So for every release of stage 1, stage 2 costs its epsilon, and both
// together lose the sum of their losses, as an adaptive composition. Stage 2 imputes missing values
// again, and resizes frames of a different size again: each stage has independent randomness.
#pragma once

#include <functional>
#include <vector>

#include "core/measurements/joint_moments.h"

namespace dp {

// The fit in scaled units (glm_rows.h, as for ols): coefficients, the intercept first, and a bound
// of squared residuals.
struct ResidualFit {
  std::vector<double> theta;
  double cap;
};

struct ResidualPlan {
  JointPlan moments;  // with the loss of both stages; it has products
  bool intercept;
  double share;  // of epsilon for stage 2, above 0 and below 1
  std::function<ResidualFit(const std::vector<double>& moments, Epsilon epsilon)> fit;
};

// The epsilon of each stage, rounded down, so that they add up to at most the total.
struct ResidualShares {
  Epsilon moments;
  Epsilon squares;
};
ResidualShares residual_shares(const ResidualPlan& plan);

// From data frames of f64, under the change-one distance, to the moments of stage 1, the cap, and
// the sums of stage 2, M_11, M_12, ..., M_dd, which the caller multiplies by the cap. A number of
// coefficients other than d, or a cap that is not finite, gives every row the weight 0.
//
// If rows are weighted, the last column has the weights.
//
// Throws make_measurement as make_joint_moments() does, for a share out of its range, and for less
// than 1 or more than 64 coefficients.
Measurement make_joint_residuals(const std::vector<ColumnSpec>& columns, const ResidualPlan& plan);

}  // namespace dp
