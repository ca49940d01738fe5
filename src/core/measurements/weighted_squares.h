// Sums of products of predictors over weighted rows, in one joint release.
//
// A row has predictors z_1, ..., z_d in fixed point, |z_j| <= 1 (glm_objective.h), and a weight rho
// = k / 2^20, k a whole number from 0 to 2^20 (row_weight.h). The release is
//
//   M_ij = sum rho z_i z_j,   1 <= i <= j <= d.
//
// With s = d^2 / (2 epsilon), it has discrete Laplace noise of scale s off the diagonal and 2 s on
// it. If a predictor is 1 for every row, its square is the sum of weights.
//
// Privacy: neighbours differ in one replaced row, with its weight, or in the presence of a row.
//   Proof. A row contributes x_i x_j to M_ij, with x = sqrt(rho) z and |x_i| <= 1; an absent row
//   has x = 0. With weights 1 / s off the diagonal and 1 / (2 s) on it, two rows x and y
//   differ by 1 / (2 s) times the entrywise L1 norm of x x' - y y' = ((x - y)(x + y)' +
//   (x + y)(x - y)') / 2, at most |x - y|_1 |x + y|_1 / (2 s). As |x_i - y_i| + |x_i + y_i| =
//   2 max(|x_i|, |y_i|) <= 2, the two norms add up to at most 2 d, and their product is at most
//   d^2: the loss is at most d^2 / (2 s) = epsilon. One predictor attains it, by rho = 1 instead
//   of 0; several do by z = (1, ..., 1, -1, ..., -1) with half of each, instead of (1, ..., 1).
//
// The proof only needs that rho is a function of its row and of public numbers. So weights can be
// computed from earlier releases, by any rule. For each value of these the loss is at most epsilon,
// and both releases together lose the sum of their losses, as in every adaptive composition.
//
// Integers and noise are exact. The release has the doubles nearest to exact rationals.
#pragma once

#include <cstdint>
#include <vector>

#include "core/measurements/glm_objective.h"
#include "core/measurements/row_weight.h"
#include "core/numeric/parameters.h"
#include "core/numeric/rational.h"
#include "core/random/bit_source.h"
#include "core/random/discrete_laplace.h"

namespace dp {

// The noise scale s above.
Rational square_scale(std::size_t predictors, Epsilon epsilon);

class WeightedSquares {
 public:
  // Throws make_measurement unless epsilon is positive, finite and large enough for noise within
  // the range of doubles.
  WeightedSquares(std::size_t predictors, Epsilon epsilon);

  // M_11, M_12, ..., M_1d, M_22, ..., M_dd of rows with these weights k, fewer than 2^40 of them.
  std::vector<double> release(const GlmRows& rows,
                              const std::vector<std::int32_t>& weights,
                              BitSource& bits) const;

 private:
  std::size_t predictors_;
  DiscreteLaplace product_noise_;  // in steps of 2^-80
  DiscreteLaplace square_noise_;
};

}  // namespace dp
