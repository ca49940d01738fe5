// The count, sums and sums of products of rows, in one joint release: of all rows, with imputed
// missing values, or only of the complete rows.
//
// Columns become integers q on a public lattice, 0 <= q <= N, as in lattice_columns.h, and then v =
// 2 q - N, so that u = v / N is the value in half-widths of its bounds, -1 <= u <= 1. (Imputed rows
// use finer steps, v and N times the power of two that leaves both below 2^41, so that the noise in
// a column of few whole numbers is nearly continuous, too.) With u_0 = 1, and rho = 1 for a
// complete row, 0 for a row with a gap, the moments are
//
//   M_ij = sum rho u_i u_j,   0 <= i <= j <= P;   M_00 is the number of complete rows.
//
// The set of rows with gaps is private; the number of rows n is public. Neighbours differ in one
// replaced row, which may get a gap or lose one. Imputed rows have no gaps: then M_00 = n is not
// released, and with rho = 1 the proofs below hold for the rest.
//
// Rows may have weights, in a separate column: rho is then any k / 2^20 between 0 and 1
// (row_weight.h), 0 for a row that lacks its weight, too, and M_00 their sum.
//
// Privacy without products: M_00 with discrete Laplace noise of scale 2 / epsilon, M_0i of scale 2
// P / epsilon.
//   Proof. Weigh M_00 by P. Replacing one complete row by another moves the weighted L1 norm by
//   sum |u_i - u'_i| <= 2 P. Replacing a gap by a complete row moves it by P + sum |u_i| <= 2 P.
//
// Privacy with products: public weights w_0 (`count_weight`), w_1 = ... = w_P = 1, W = w_0 + P and
// s = W^2 / (2 epsilon): M_ij with noise of scale s / (w_i w_j), M_ii of scale 2 s / w_i^2.
//   Proof. A row contributes x_i x_j to w_i w_j M_ij, x_i = sqrt(rho) w_i u_i. With weights 1 / s
//   off the diagonal and 1 / (2 s) on it, the change is 1 / (2 s) times the entrywise L1 norm
//   of x x' - y y' = ((x - y)(x + y)' + (x + y)(x - y)') / 2, at most |x - y|_1 |x + y|_1 / (2 s).
//   Since |x_i - y_i| + |x_i + y_i| = 2 max(|x_i|, |y_i|) <= 2 w_i, the two norms add up to at most
//   2 W, and their product is at most W^2: the loss is at most W^2 / (2 s) = epsilon.
//   A second one, for rho = 1: with d = (z - z') / 2, e = (z + z') / 2 and t_i = |d_i|, where
//   t_i + |e_i| <= 1, the weighted change is at most 2 S (W - S) <= W^2 / 2, S = sum w_i t_i, as
//   a mean over cuts of a complete graph. A row against a gap changes it by (sum w_i |u_i|)^2 / 2.
//
// Weights of rows cost nothing: the proof only needs rho between 0 and 1, as a function of its row
// and of public numbers.
//
// Both bounds are attained. The loss law is a path (laplace_path_loss.h) of unit steps in each
// integer moment; a replaced row is a path of epsilon in total. Against a gap M_00 makes a single
// step, which does not count if it costs at most epsilon / 2. To see this, move the values of the
// row to the nearest ends of their bounds. No moment then moves less, so the losses add up to
// epsilon, and the losses of the other moments to at least the loss of the count. With weighted
// rows each step is a 2^20th as long, and all count.
//
// Privacy with Gaussian noise: products, all weights 1, so that W = P + 1, and discrete Gaussian
// noise of one standard deviation, `scale`, on every moment. Then d replaced rows lose rho = (d
// W)^2 / (2 scale^2).
//   Proof. Moments of any two rows are W apart in L2, so d rows move them by d W. A row against a
//   gap: the sum of (u_i u_j)^2 over i <= j is at most W (W + 1) / 2 <= W^2. A row against a row,
//   with d, e and t as above: u_i u_j changes by C_ij = 2 (d_i e_j + e_i d_j), |C_ij| <= 2 p with p
//   = t_i (1 - t_j) + t_j (1 - t_i) from 0 to 1, so that C_ij^2 <= 4 p, and u_i^2 by |C_ii| <= 4
//   t_i (1 - t_i) <= 1, so that C_ii^2 <= 4 t_i (1 - t_i). All squares add up to at most 4 sum t_i
//   (1 - t_j), over all i and j: 4 S (W - S) <= W^2. Noise and moments are integers, and rho adds
//   up over them (gaussian.h). The bound is attained by u = 1 instead of u = -1, if P = 1.
//
// Integers and noise are exact, so nothing is lost to rounding. The release has the doubles nearest
// to exact rationals, in the columns' units about the middle of their bounds: sum rho, sum rho (x -
// c), sum rho (x - c)(y - c).
#pragma once

#include <vector>

#include "core/measurements/measurement.h"
#include "core/numeric/parameters.h"
#include "core/table/gaps.h"
#include "core/table/lattice_columns.h"

namespace dp {

struct JointPlan {
  Gaps gaps;
  bool products;
  std::uint64_t count_weight;  // w_0, from 1 to 1000; of sums alone it is not used
  Epsilon epsilon;
  std::uint64_t n;
  bool weighted = false;  // the last column has the weights of rows; gaps are dropped then
};

struct GaussianJointPlan {
  Gaps gaps;
  double scale;
  std::uint64_t n;
};

// A moment, identified by its indices in (u_0, u_1, ..., u_P).
struct JointMoment {
  std::size_t first;
  std::size_t second;
};

// The released moments of `columns` columns without weights, in their order: (0, 0) unless gaps are
// imputed, (0, 1), ..., (0, P), and with products (1, 1), (1, 2), ..., (P, P).
std::vector<JointMoment> joint_moments(std::size_t columns, const JointPlan& plan);
std::vector<JointMoment> joint_moments(std::size_t columns, const GaussianJointPlan& plan);

// The scale of the noise on a moment of u, which is at most 1 in magnitude.
Rational joint_scale(const JointMoment& moment, std::size_t columns, const JointPlan& plan);

// From data frames with these columns of f64, under the change-one distance, to one f64 for each
// moment. Frames with a number of rows other than n are resized, all columns together: superfluous
// rows are dropped at random, added rows have gaps. Missing values are gaps, and so are infinite
// ones if `whole`. If gaps are dropped, the imputation rule is ignored.
//
// Throws make_measurement as make_noisy_moments() does for columns and n, for more than 64 columns,
// and unless epsilon is positive, finite and large enough for noise within the range of doubles,
// and the weight of the count in its range. Also for row weights that can be negative, or are used
// without products or with imputation. At map time: overflow.
Measurement make_joint_moments(const std::vector<ColumnSpec>& columns, const JointPlan& plan);

// make_joint_moments() with Gaussian noise, under ZeroConcentratedDivergence. Throws
// make_measurement as that does, and for a negative scale; make_transformation for one that is not
// finite. At a scale of 0 the loss is infinite.
Measurement make_gaussian_moments(const std::vector<ColumnSpec>& columns,
                                  const GaussianJointPlan& plan);

}  // namespace dp
