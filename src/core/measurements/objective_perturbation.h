// Generalized linear models by objective perturbation, in exact arithmetic.
//
// The loss of the map holds except for an event of probability below 1e-50: that the noise of step
// 1 is beyond its range. A release throws then. Near that range some coefficients are possible for
// only one of two neighbours, so the guarantee is (epsilon, 1e-50) rather than pure. The map
// reports epsilon: a delta of 1e-50 is 1e-20 of any requested delta, and below the probability of a
// hardware error.
//
// Predictors are integers on public lattices, scaled to z with |z_j| <= 1. The release is the
// minimum of J (glm_objective.h), for noise of density proportional to exp(-rate max_j |b_j|).
//
// Privacy of one replaced row, with d predictors, slopes at most s and curvatures at most c:
//
//   1. The true minimum. The noise that gives J its minimum at theta is -(sum of gradients) - ridge
//      theta, and differs between neighbours by at most 2 s in each element, which costs rate * 2
//      s. The volumes differ by the ratio of determinants of two Hessians. Both are one matrix A
//      above ridge * I plus one row's c' z z^T, c' <= c: the ratio is at most 1 + c z^T A^-1 z <= 1
//      + c d / ridge, which costs its logarithm. (At bends of the loss the map from theta to the
//      noise is Lipschitz, and its volumes follow from its derivative almost everywhere.)
//   2. The computed point is certainly within gap / ridge of the minimum. So two such points differ
//      by at most 2 sqrt(d) gap / ridge in the L1 sense, and additional discrete Laplace noise
//      hides that for a separate loss.
//   3. For ols, the mean square of residuals r^2 from the released coefficients, each bounded by 4.
//
// If rows that lack a value are dropped (`drops`), such a row is a gap: z = 0, so that it adds
// nothing to gradients and Hessians. A row against a gap moves a gradient by at most s, and the two
// Hessians differ by only that row: steps 1 and 2 hold without change. Step 3 releases the sum of
// r^2 - 2 over the rows without a gap, with noise of the same scale 4 / epsilon', and their number,
// with noise of scale 2 / epsilon'. Replacing one complete row by another moves the sum by at most
// 4 and no number. Replacing a gap by a complete row moves the sum by at most 2 and the number by
// 1. Both cost at most epsilon'.
//
// A part of epsilon can be spent on statistics for the errors of the coefficients (`inference`):
//
//   4. The Hessian of the losses at the released coefficients: the weighted squares of predictors
//      (weighted_squares.h), rho the curvature of a row's loss over a bound of all curvatures at
//      these coefficients, at most c. Without a sandwich the model is assumed to be true, and the
//      curvature is its mean over responses, whose bound is smaller for probit. The release is
//      multiplied by the bound over c: the sums of curvatures over c, with less noise.
//   5. For a sandwich also the squares of gradients: rho the square of a row's slope over s^2.
//
// Their weights are functions of their row and of the coefficients, which steps 1 and 2 released.
// So each step costs its epsilon for all coefficients, and all steps lose the sum of their losses,
// as an adaptive composition. A gap has the weight 0. The bound is a function of the coefficients
// and of public numbers; a row above it would have the weight 1.
//
// A row's offset is one more argument of its loss: slopes and curvatures keep their bounds, and the
// proofs need no more.
//
// A row can have a weight rho, relative to the public maximum, from 0 to 1 (row_weight.h); a row
// that lacks it is a gap. Its loss is multiplied by rho, so slopes stay at most s and curvatures at
// most c: steps 1 and 2 hold without change. Step 3 releases the sum of rho (r^2 - 2), and the sum
// of rho instead of the number of rows. With a = r^2 - 2, |a| <= 2, the sums differ by |rho a -
// rho' a'| <= 2 (rho + rho') and |rho - rho'|. This costs at most epsilon' ((rho + rho') / 2 + |rho
// - rho'| / 2) = epsilon' max(rho, rho'). The weights of steps 4 and 5 are rho times the curvature
// over its bound, and the square of rho times the slope over s: the row's contribution to the
// Hessian, and the square of its contribution to the gradient.
//
// A table can have any number of rows, below 2^31, which is private (`any_rows`). Neighbours then
// differ by one added or removed row, and J is a sum over rows whose ridge is public and does not
// depend on their number:
//
//   1. One row moves a gradient by at most s in each element, which costs rate * s. The Hessians
//      are A and A + c' z z^T: their determinants differ by a factor of at most 1 + c d / ridge.
//   2. The gap covers the rounded gradients of 2^31 rows, so it is public.
//   3, 4, 5. As a row against a gap, with the same noise.
//
// Coefficients stay within range, though the ridge does not grow with the rows. A loss falls by at
// most F = 2^10 below its value at zero: log 2 for logit and probit, 1/2 for ols, and for poisson 1
// plus the logarithm of the largest count. Where J is at most its value at zero, ridge |theta|^2 /
// 2 + <noise, theta> <= n F, so |theta| <= 2 |noise| / ridge + sqrt(2 n F / ridge). The ridge is at
// least 2^-6.
//
// Noise of step 1 has a density, which no computer draws exactly. The draw is a function of such
// noise at a distance of at most (d + 4) 2^-80: the radius, a sum of d + 1 exponential variables,
// each rounded down, which makes it geometric; and a point uniform in a cube, rounded to 128 bits.
// The resulting change of the gradient is part of the gap.
//
// Source: Chaudhuri, Monteleoni and Sarwate (2011) for the perturbed objective; Kifer, Smith and
// Thakurta (2012) for its proof; Awan and Slavkovic (2021) for this noise; Iyengar et al. (2019)
// for approximate minima.
#pragma once

#include <cstdint>
#include <vector>

#include "core/measurements/glm_loss.h"
#include "core/measurements/measurement.h"
#include "core/numeric/parameters.h"
#include "core/random/bit_source.h"
#include "core/table/lattice_columns.h"

namespace dp {

// Additional releases besides the coefficients.
struct GlmInference {
  double share = 0;  // of epsilon, below 1; 0 for nothing
  bool sandwich = false;
};

struct GlmPlan {
  GlmFamily family;
  bool intercept;       // then predictors are also centred, at the middle of their bounds
  std::uint64_t n;      // rows
  std::uint64_t parts;  // disjoint random parts of floor(n / parts) rows, a release from each
  double lambda;        // wanted ridge for each row, at least 0
  Epsilon epsilon;
  bool drops = false;  // rows that lack a value; else values are imputed
  GlmInference inference = {};
  bool has_offset = false;   // the last column, added to the linear predictor of its row
  bool has_weights = false;  // the last column, behind an offset; of rows that drop gaps
  bool any_rows = false;     // then n and lambda are 0, and rows drop gaps
};

// Split of epsilon: steps 1 to 3 together, step 4, step 5. Rounded down, so that they add up to at
// most epsilon.
struct GlmShares {
  double objective;
  double curvature;
  double slopes;
};
GlmShares glm_shares(const GlmPlan& plan);

// Split of a release's loss, for d coefficients and m rows.
struct GlmBudget {
  double ridge;       // of the sum over m rows, see below
  double noise_rate;  // of step 1
  double gap;
  double release_scale;  // of the noise of step 2, in steps of 2^-60
  double variance_epsilon;
};

// A ridge of at least lambda m: the volumes of step 1 take at most a quarter of the loss that steps
// 2 (1 / 1024 of epsilon) and 3 (for ols, 1 / 8) leave; and ridge >= c m 2^-16, to keep
// coefficients in range. Throws make_measurement for an epsilon, lambda or number of rows beyond
// 128-bit arithmetic.
GlmBudget glm_budget(const GlmPlan& plan, std::size_t coefficients);

// From data frames of f64 under the change-one distance, the response first, to the coefficients of
// each part in turn, the intercept first. For ols each part's mean square of residuals follows, or
// its replacement in step 3. Then come the sums of step 4 and of step 5, each M_11, M_12, ...,
// M_dd, to be multiplied by c and by s^2. Units are scaled columns: with an intercept predictors
// become (x - centre) / (half of the width), otherwise x / (largest magnitude), and so does the
// response for ols.
//
// A replaced row is in only one part, so parts cost no more than one. Throws make_measurement for
// invalid bounds (column_rules()), more than 64 coefficients or none, parts with fewer rows than
// coefficients, several parts with a share for inference, negative counts, offsets beyond 2^20, and
// weights that can be negative or whose rows are imputed.
//
// In the event of probability below 1e-50 that the noise of step 1 is beyond its range, releases
// throw overflow, whatever the data.
Measurement make_objective_perturbation(const std::vector<ColumnSpec>& columns,
                                        const GlmPlan& plan);

// Throws make_measurement for columns and plans that no release can have: as
// make_objective_perturbation() does, and glm_budget().
void check_row_model(const std::vector<ColumnSpec>& columns, const GlmPlan& plan);

// The release for a plan with `any_rows`: `columns` has the value of each row, NaN where it lacks
// one. Returns the same numbers as make_objective_perturbation(). One added or removed row costs
// the epsilon of the plan. Throws memory for 2^31 rows or more, which no machine has been shown to
// hold, and overflow as above.
std::vector<double> release_of_rows(const std::vector<ColumnSpec>& columns,
                                    const GlmPlan& plan,
                                    const std::vector<std::vector<double>>& values,
                                    BitSource& bits);

}  // namespace dp
