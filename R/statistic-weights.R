# Row weights: the number of people in the population that each row represents. The last column
# holds the weights, clamped to public bounds. Computations weight each row by the ratio of its
# weight to the upper bound (row_weight.h), so no row counts for more than one. Sums of these ratios
# replace numbers of rows.

# Name of the column among the terms of a model.
weights_name <- "(weights)"

has_weights <- function(args) !is.null(args$weights)

# Arguments of a statistic with one formula. Its design computes the weights with its terms.
with_weights <- function(args, call) {
  check_weight_bounds(args, call)
  if (has_weights(args) && !is.null(args$formula$design)) {
    args$formula$design <- design_with_weights(args$formula$design, args)
  }
  args
}

# The weight bounds are the last ones.
check_weight_bounds <- function(args, call) {
  if (has_weights(args) && args$rng[[length(args$rng)]][[1]] < 0) {
    stop_argument("bounds of weights, from 0 on, for their column", "a negative one", "rng", call)
  }
}

design_with_weights <- function(design, args) {
  if (has_weights(args)) {
    design$columns <- c(design$columns, args$weights)
    design$terms[[weights_name]] <- column(args$weights)
  }
  design
}

# Name of the weight column, which follows the model columns, or NULL.
weights_column <- function(args) {
  if (has_weights(args) && !is.null(args$program)) weights_name else args$weights
}

# For a plan of the core. Without weights it is NULL, because older plans lack the field.
weighted_rows <- function(args) if (has_weights(args)) TRUE

# Weighted rows can follow a different model than the population. Errors that assume a true model
# are not valid for them.
usual_vcov <- function(args) if (has_weights(args)) "sandwich" else "classical"

#' Sampling weights in regressions
#'
#' The argument `weights` of [dpLM()], [dpGLM()] and [dpCovariance()] names a column of sampling
#' weights: how many people of a population each row represents, in any unit. Estimates are then for
#' the population. For means and other numbers with weights, use a query: see [dp_tbl()].
#'
#' @section Linear models: They are sampling weights: the number of people in a population that each
#'   row represents, in any unit. Estimates are then for the population. `rng` has their bounds, at
#'   least 0, by the name of the column or last. Weights are clamped to these bounds and divided by
#'   the upper one, to 2^-20. A row counts by this share, at most once in any sum. So weights cost
#'   nothing, and the noise does not change. But the noise then compares with the sum of the shares
#'   instead of the number of rows. Choose an upper bound that few weights exceed. A row without a
#'   weight counts as missing.
#'
#'   Errors assume that rows are drawn independently, without strata or clusters. The sandwich sums
#'   squares of share times residual, as survey methods do. It holds for any relation between
#'   weights and residuals. C is computed for rows with the largest weight, so it caps no more
#'   residuals than without weights. The noise of the sums also belongs to such rows, so intervals
#'   are a little wide if few weights are large. `"classical"` assumes one residual variance for all
#'   predictors and weights. Then its errors are too wide, because squared shares are below shares.
#'   If weights count equal rows, both are too wide. Degrees of freedom follow from the sum of the
#'   shares, which is at most the effective number of rows.
#'
#'   `result` has `sumWeights`, the noisy sum of the weights, instead of `nPresent` and
#'   `share_missing`.
#' @section Generalized linear models: They are sampling weights: the number of people in a
#'   population that each row represents, in any unit. Estimates are then for the population. `rng`
#'   has their bounds, at least 0, by the name of the column or last. Weights are clamped to these
#'   bounds and divided by the upper one, to 2^-20. This share multiplies the loss of the row.
#'   Slopes and curvatures stay below s and c, so weights cost nothing, and noise and ridge do not
#'   change. But noise and ridge then compare with the sum of the shares instead of the number of
#'   rows. Choose an upper bound that few weights exceed. A row without a weight counts as missing.
#'
#'   Errors assume that rows are drawn independently, without strata or clusters. The sandwich sums
#'   squares of share times slope, as survey methods do. `"classical"` assumes that the model is
#'   true for every weight. Then its errors are too wide, because squared shares are below shares.
#'   If weights count equal rows, both are too wide.
#'
#'   `"ols"` releases the sum of the shares instead of the number of rows. The result has
#'   `sumWeights`, the sum of the weights, and no `nPresent`.
#' @section Covariance matrices: They are sampling weights, as in [dpLM()]: the number of people in
#'   a population that each row represents. They are clamped to their bounds in `rng` and divided by
#'   the upper bound. The matrix estimates the population's covariance. Its divisor is the sum of
#'   the scaled weights. Errors of regressions match `dpLM(vcov = "classical")`, which assumes one
#'   residual variance for all predictors and weights. They are too wide if that holds, and may be
#'   too narrow if it does not. `dpLM()` has a sandwich estimator. `accuracy` of the object assumes
#'   that all rows have the largest weight. `result` has `sumWeights`, the noisy sum of the weights,
#'   instead of `nPresent` and `share_missing`.
#' @references Binder (1983), *On the Variances of Asymptotically Normal Estimators from Complex
#'   Surveys*.
#' @seealso [dp_tbl()] for survey designs of package survey
#' @examples
#' # Years of education as weights, to show the arguments.
#' weighted <- dpLM(
#'   income ~ age, n = 10000, rng = list(c(0, 2e5), c(18, 93), c(0, 16)), epsilon = 1,
#'   weights = "educ"
#' )
#' weighted$release(PUMS5extract10000)$sumWeights
#' @name sampling_weights
NULL
