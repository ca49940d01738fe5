// Generalized linear models by objective perturbation, in exact arithmetic.
//
// The loss that the map states holds but for an event of probability below 1e-50: that the noise of
// step 1 is beyond its range. A release throws then. Near that range some coefficients can come out
// of one neighbour and not of the other, so the guarantee is (epsilon, 1e-50) rather than pure. The
// map reports epsilon: a delta of 1e-50 is 1e-20 of what anyone asks for, and below the chance that
// a machine errs.
//
// Predictors come as integers on public lattices, are scaled to z with |z_j| <= 1, and the minimum
// of J (glm_objective.h) is released, for noise of density proportional to exp(-rate max_j |b_j|).
//
// Loss of one replaced row, d predictors, slopes at most s and curvatures at most c:
//
//   1. The true minimum. The noise at which J has its minimum at theta is -(sum of gradients) -
//      ridge theta, and differs between neighbours by 2 s at most in each element, which costs
//      rate * 2 s. The volumes differ by the ratio of determinants of two Hessians. Both are one
//      matrix A above ridge * I plus one row's c' z z^T, c' <= c: the ratio is at most 1 + c z^T
//      A^-1 z <= 1 + c d / ridge, which costs its logarithm. (At bends of the loss the map from
//      theta to the noise is Lipschitz, and its volumes those of its derivative almost everywhere.)
//   2. What is found in its place is within gap / ridge of it, for certain. So two such places
//      differ by 2 sqrt(d) gap / ridge at most in the L1 sense, and discrete Laplace noise on top
//      hides that for a loss of its own.
//   3. For ols, the mean square of residuals r^2 from what was released, each held at 4 at most.
//
// Where rows that lack a value are dropped (`drops`), such a row is a gap: z = 0, so that it adds
// nothing to gradients and Hessians. A row against a gap moves a gradient by s at most, and the two
// Hessians differ by that row alone: steps 1 and 2 hold as they stand. Step 3 releases the sum of
// r^2 - 2 over the rows without a gap, with noise of the same scale 4 / epsilon', and their number,
// with noise of scale 2 / epsilon'. One row with values in place of another moves the sum by 4 at
// most and no number, one in place of a gap the sum by 2 at most and the number by 1: both cost
// epsilon' at most.
//
// A part of epsilon may pay for what errors of the coefficients are computed from (`inference`):
//
//   4. The Hessian of the losses at what was released: the weighted squares of predictors
//      (weighted_squares.h), rho the curvature of a row's loss over a bound of all curvatures at
//      these coefficients, at most c. Without a sandwich the model is taken to be true, and the
//      curvature is its mean over responses, whose bound is less for probit. What is released is
//      multiplied by the bound over c: the sums of curvatures over c, with less noise.
//   5. For a sandwich also the squares of gradients: rho the square of a row's slope over s^2.
//
// Their weights are functions of their own row and of the coefficients, which steps 1 and 2
// released: each costs what it is given, whatever these are, and all steps lose the sum of their
// losses, as an adaptive composition does. A gap has the weight 0. The bound is a function of the
// coefficients and of public numbers; a row that were above it would have the weight 1.
//
// A row's offset is one more number that its loss is a function of: slopes and curvatures keep
// their bounds, and the proofs ask for no more.
//
// A row may have a weight rho, a share of the public maximum, from 0 to 1 (row_weight.h); a row
// that lacks it is a gap. Its loss is multiplied by rho, which leaves slopes at most s and
// curvatures at most c: steps 1 and 2 hold as they stand. Step 3 releases the sum of rho (r^2 - 2),
// and that of rho in place of the number of rows. With a = r^2 - 2, |a| <= 2, the sums differ by
// |rho a - rho' a'| <= 2 (rho + rho') and |rho - rho'|, which costs epsilon' ((rho + rho') / 2 +
// |rho - rho'| / 2) = epsilon' max(rho, rho') at most. The weights of steps 4 and 5 are rho times
// the curvature over its bound, and the square of rho times the slope over s: what the row adds to
// the Hessian, and the square of what it adds to the gradient.
//
// Noise of step 1 has a density, but no computer draws from it. Drawn is a function of such noise
// that is never further away than (d + 4) 2^-80: of the radius, a sum of d + 1 exponential
// variables, each rounded down, which makes it geometric; and of a point uniform in a cube, rounded
// to 128 bits. What that moves the gradient is part of the gap.
//
// Sources: Chaudhuri, Monteleoni and Sarwate (2011) for the perturbed objective; Kifer, Smith and
// Thakurta (2012) for its proof; Awan and Slavkovic (2021) for this noise; Iyengar et al. (2019)
// for approximate minima.
#pragma once

#include <cstdint>
#include <vector>

#include "core/measurements/glm_loss.h"
#include "core/measurements/measurement.h"
#include "core/numeric/parameters.h"
#include "core/table/lattice_columns.h"

namespace dp {

// What is released besides the coefficients.
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
};

// How epsilon is shared: steps 1 to 3 together, step 4, step 5. Rounded down, so that they add up
// to epsilon at most.
struct GlmShares {
  double objective;
  double curvature;
  double slopes;
};
GlmShares glm_shares(const GlmPlan& plan);

// How the loss of a release is spent, for d coefficients and m rows.
struct GlmBudget {
  double ridge;       // of the sum over m rows, see below
  double noise_rate;  // of step 1
  double gap;
  double release_scale;  // of the noise of step 2, in steps of 2^-60
  double variance_epsilon;
};

// A ridge of lambda m, or more: the volumes of step 1 take no more than a quarter of what the
// steps 2 (1 / 1024 of epsilon) and 3 (for ols, 1 / 8) leave; and ridge >= c m 2^-16, to keep
// coefficients in range. Throws make_measurement for an epsilon, lambda or number of rows beyond
// what 128 bits hold.
GlmBudget glm_budget(const GlmPlan& plan, std::size_t coefficients);

// From data frames of f64 under the change-one distance, the response first, to the coefficients of
// each part in turn, that of the intercept first; for ols each part's mean square of residuals
// follows, or what step 3 releases in its place. Then come the sums of step 4, those of step 5,
// each M_11, M_12, ..., M_dd, to be multiplied by c and by s^2. In units of scaled columns: with an
// intercept predictors become (x - centre) / (half of the width), else x / (largest magnitude); and
// so for ols does the response.
//
// A replaced row is in one part alone: parts cost no more than one. Throws make_measurement for bad
// bounds (column_rules()), more than 64 coefficients or none, parts with fewer rows than
// coefficients, several parts with a share for inference, negative counts, offsets beyond 2^20, and
// weights that may be negative or whose rows are imputed.
// In the event of probability below 1e-50 that the noise of step 1 is beyond its range, releases
// throw overflow, whatever the data.
Measurement make_objective_perturbation(const std::vector<ColumnSpec>& columns,
                                        const GlmPlan& plan);

}  // namespace dp
