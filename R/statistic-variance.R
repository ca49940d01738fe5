#' Differentially private variance
#'
#' A plan for releases of the variance of one column, with divisor n - 1, and its standard
#' deviation. Building it checks the arguments, chooses the noise and reads no data; `release()`
#' spends `epsilon`, each time that it is called.
#'
#' The number of rows `n` is public, and two datasets are neighbours if one row of one is replaced
#' in the other. With probability `1 - alpha` a release is within `accuracy` of the variance of the
#' data as used: clamped to `rng`, missing values imputed, and `n` rows of it. That is no statement
#' about sampling error, nor about what clamping cuts off.
#'
#' If the number of rows must stay secret, do not use this: `n` is treated as public.
#'
#' `dpVariance(...)` and `dpVariance$new(...)` are the same.
#'
#' @inheritParams dpMean
#' @param varType (`character(1)`) `"numeric"` or `"double"`, `"integer"` (values are truncated;
#'   those outside the 64-bit range are treated as missing) or `"logical"` (0 and 1, `FALSE` and
#'   `TRUE`).
#' @param n (whole number) Number of rows, public, at least 2.
#' @param accuracy (`numeric(1)`) Wanted accuracy, in the square of the column's unit, instead of
#'   `epsilon`.
#' @param imputeRng (`numeric(2)`) Missing values are replaced by uniform draws from here; `rng` by
#'   default. Their variance, a twelfth of the square of the width, comes in with their share.
#' @param missing (`character(1)`) `"impute"`: see `imputeRng`. `"drop"`: the variance is that of
#'   the rows with a value, from a noisy count, sum and sum of squares of them; for
#'   `"mechanismLaplace"` alone.
#' @returns An R6 object of class `dpVariance`, with the methods and fields of [dpMean()]. `result`
#'   is a [dp_result] with `release`, `accuracy`, `epsilon`, `variable`, `std` and `interval`. The
#'   noise may take a release below 0 or above the largest possible variance; `std` is the root of
#'   the release, or 0 if that is negative. `sens`, how far one row can move the variance, is the
#'   square of the width of `rng`, over `n`, which is attained.
#' @section How it works: As [dpMean()], with the exact variance of the integers that the values are
#'   rounded to, on a public grid of its own.
#' @section Missing values: With `missing = "drop"` count, sum and sum of squares of the rows with a
#'   value are released together, in one measurement that costs `epsilon` for one replaced row. With
#'   h half of the width of `rng` and x counted from its middle, they have discrete Laplace noise of
#'   scales 4, 2 h and 4 h^2, over epsilon. `accuracy` of the object is that of a column without
#'   gaps, twice the width of `rng`, squared, over `n` epsilon, times log(2 / alpha). All else is as
#'   in [dpMean()].
#' @inheritSection dpMean Errors
#' @inheritSection dpMean Warnings
#' @inherit dpMean references
#' @seealso [dpCovariance()]
#' @examples
#' spread <- dpVariance(
#'   mechanism = "mechanismLaplace", varType = "numeric", variable = "age", n = 10000,
#'   rng = c(18, 93), epsilon = 0.1
#' )
#' spread$accuracy
#' spread$release(PUMS5extract10000)
#' @export
dpVariance <- new_statistic("dpVariance", "Variance of a column",
  "a variance, a standard deviation",
  arguments = function(mechanism, varType, variable, n, rng = NULL, epsilon = NULL,
                       accuracy = NULL, imputeRng = NULL, alpha = 0.05, gamma = 0.05,
                       n_check = "refuse", missing = "impute") {
  },
  required = c("mechanism", "varType", "variable", "n", "rng", "epsilon"),
  or = list(epsilon = "accuracy"),
  takes = list(
    mechanism = one_of(snapping_mechanisms), varType = variable_type(c(statistic_types, "double")),
    n = count_from(2)
  ),
  plan = function(...) plan_variance(...),
  fields = c(common_fields, "missing", "snapping"),
  numbers = c("n", "range"), others = c("n", "range")
)

plan_variance <- function(args, call) {
  sens <- diff(args$rng)^2 / args$n
  largest <- sens * args$n^2 / (4 * (args$n - 1))
  snapping <- snapping_of(args$mechanism, 0, largest, args$gamma)
  # Where nothing is missing: the noise of the squares, and that of the sum on both sides of it.
  loss <- if (drops_missing(args)) {
    check_loss(args$epsilon, args$accuracy, 2 * sens, args$alpha / 2, call)
  } else {
    check_loss(
      args$epsilon, args$accuracy, sens, noise_alpha(args$mechanism, args$alpha), call
    )
  }
  way <- if (drops_missing(args)) {
    moments_of_present(args, loss$epsilon, TRUE, 1, present_variance)
  } else {
    chain_of_rows(args, loss$epsilon, variance_chain, variance_result)
  }
  plan_moment("variance", args, loss, sens, list(snapping = snapping), way, largest, call)
}

# The variance of all rows is that of a single block of them.
variance_chain <- function(varType, n, rng, imputeRng, epsilon) {
  rows <- prepared_rows(varType, n, rng, imputeRng)
  aggregate_chain(rows, named_blocks(rows, "var", 1), 1, epsilon)
}

variance_result <- function(release, fields) {
  all <- c(interval_result(release, fields), list(std = sqrt(max(release, 0))))
  all[c("release", "accuracy", "epsilon", "variable", "std", "interval")]
}
