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
