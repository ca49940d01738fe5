#' Differentially private variance
#'
#' A plan for releases of the variance of one column, with divisor n - 1, and its standard
#' deviation. Building it checks the arguments, chooses the noise and reads no data; `release()`
#' spends `epsilon`, each time that it is called.
#'
#' The number of rows `n` is public, and two datasets are neighbours if one row of one is replaced
#' in the other. With probability `1 - alpha` a release is within `accuracy` of the variance of the
#' data as used: clamped to `rng`, without the rows that lack a value (or with missing values
#' imputed, if you ask for that). The interval does not include sampling error, nor what clamping
#' cuts off.
#'
#' If the number of rows must stay secret, do not use this: `n` is treated as public.
#'
#' `dpVariance(...)` and `dpVariance$new(...)` are the same.
#'
#' @inheritParams dpMean
#' @param varType (`character(1)`) `"numeric"` or `"double"`, `"integer"` (values outside
#'   the 64-bit range are treated as missing) or `"logical"` (0 and 1, `FALSE` and `TRUE`); see
#'   `conversion`.
#' @param n (whole number) Number of rows, public, at least 2.
#' @param accuracy (`numeric(1)`) Wanted accuracy, in the square of the column's unit, instead of
#'   `epsilon`.
#' @param imputeRng (`numeric(2)`) With `missing = "impute"`, missing values are replaced by uniform
#'   draws from here; `rng` by default. Their variance, a twelfth of the square of the width, comes
#'   in with their share.
#' @param missing (`character(1)`) Rule for missing values. `"drop"`: the variance of the rows with
#'   a value, from a noisy count, sum and sum of squares of them. `"impute"`: see `imputeRng`; it
#'   has less noise, and is only right if next to nothing is missing. Left out, it is `"drop"`, or
#'   `"impute"` if you give `imputeRng`. `"mechanismSnapping"` needs `"impute"`.
#' @param interval (`character(1)`) `"population"`: a result has besides an interval for the
#'   variance of the population that the rows were drawn from, which counts sampling and noise; for
#'   Laplace and Gaussian noise. The release comes from a noisy sum and sum of squares then, and is
#'   up to twice as far off. `"noise"`, or `NULL`: it has not.
#' @param ... Nothing: an argument with another name raises an error.
#' @returns An R6 object of class `dpVariance`, with the methods and fields of [dpMean()]. `result`
#'   is a [dp_result] with `release`, `accuracy`, `epsilon`, `variable`, `std` and `interval`. The
#'   noise may take a release below 0 or above the largest possible variance; `std` is the root of
#'   the release, or 0 if that is negative. `sens`, how far one row can move the variance, is the
#'   square of the width of `rng`, over `n`, which is attained. With `interval = "population"` there
#'   are besides `populationInterval`, its `populationAlpha`, which is `alpha`, `stdInterval`, the
#'   roots of its ends, and `standardError`, of sampling and noise, which is an upper bound.
#' @section How it works: As [dpMean()], with the exact variance of the integers that the values are
#'   rounded to, on a public grid of its own.
#' @section Missing values: With `missing = "drop"` count, sum and sum of squares of the rows with a
#'   value are released together, in one measurement that costs `epsilon` for one replaced row. With
#'   h half of the width of `rng` and x counted from its middle, they have discrete Laplace noise of
#'   scales 4, 2 h and 4 h^2, over epsilon. `accuracy` of the object is that of a column without
#'   gaps, twice the width of `rng`, squared, over `n` epsilon, times log(2 / alpha). All else is as
#'   in [dpMean()].
#' @section Interval for the population: The sums of u = (x - c) / h and of its squares, with h half
#'   of the width of `rng` and c its middle, are released together, with noise of scales 2 / epsilon
#'   and 4 / epsilon, which costs `epsilon`; see [dpMean()]. The variance is computed from both, and
#'   `accuracy` is that of `missing = "drop"`.
#'
#'   How far a variance v of n rows is from that of the population depends on the fourth moment m4:
#'   (m4 - v^2 (n - 3) / (n - 1)) / n is its variance. m4 is not released but bounded: no row is
#'   farther from the mean than B = h + |mean - c|, so that m4 is B^2 v at most. The interval is the
#'   release with the quantile of |N + L| on either side, cut to what variances within `rng` can be.
#'   N is normal with that variance, for the largest v that noise leaves likely, and the farther end
#'   of the interval that [dpMean()] has for the mean; L is the noise, to the first order a sum of
#'   independent Laplace variables. The quantile is computed from this law.
#'
#'   So the interval is *conservative*: it covers with probability `1 - alpha` or more, as far as a
#'   variance of n rows is normal. With little noise it is 1.6 to 5 times as wide as one that knows
#'   the fourth moment, and covers nearly always; but of few rows with a heavy tail the latter
#'   covers far too seldom, and this one does not. Beside [bounds()] it raises an error, as that of
#'   [dpMean()].
#' @section Gaussian noise: As of [dpMean()], with D the square of the width of `rng`, over n. From
#'   moments, which all have noise of one standard deviation, the noise is up to sqrt(5) / 2 times
#'   as large.
#' @inheritSection dpMean Errors
#' @inheritSection dpMean Warnings
#' @inherit dpMean references
#' @seealso [dpCovariance()]
#' @examples
#' spread <- dpVariance(variable = "age", n = 10000, rng = c(18, 93), epsilon = 0.1)
#' spread$accuracy
#' spread$release(PUMS5extract10000)
#'
#' # Sampling and noise together.
#' sampled <- dpVariance(
#'   variable = "age", n = 10000, rng = c(18, 93), epsilon = 1, interval = "population"
#' )
#' sampled$release(PUMS5extract10000)$populationInterval
#' @export
dpVariance <- new_statistic("dpVariance", "Variance of a column",
  "a variance, a standard deviation",
  arguments = function(mechanism = "mechanismLaplace", varType = "numeric", variable, n, rng = NULL,
                       epsilon = NULL, accuracy = NULL, imputeRng = NULL, alpha = 0.05,
                       gamma = 0.05, n_check = "refuse", missing = c("drop", "impute"),
                       interval = NULL, rho = NULL, delta = NULL) {
  },
  required = c("variable", "n", "rng", "epsilon"),
  or = list(epsilon = c("accuracy", "rho")),
  takes = list(
    mechanism = one_of(c(snapping_mechanisms, gaussian_mechanism)),
    varType = variable_type(c(statistic_types, "double")), n = count_from(2),
    interval = interval_kind()
  ),
  plan = function(...) plan_variance(...),
  fields = c(common_fields, "missing", "snapping", "interval", gaussian_fields),
  numbers = c("n", "range"), others = c("n", "range")
)

plan_variance <- function(args, call) {
  args <- with_mechanism(args, call)
  sens <- diff(args$rng)^2 / args$n
  largest <- sens * args$n^2 / (4 * (args$n - 1))
  snapping <- snapping_of(args$mechanism, 0, largest, args$gamma)
  args$interval <- args$interval %||% "noise"
  loss <- variance_loss(args, sens, call)
  own <- list(snapping = snapping, interval = args$interval)
  plan_moment("variance", args, loss, sens, own, variance_way(args, loss$limit), largest, call,
    covers = c(populationInterval = target_of_moment(args), stdInterval = target_of_moment(args)),
    span = diff(args$rng)^2 / 4
  )
}

# Of moments where nothing is missing: the noise of the squares, and that of the sum on both sides
# of it. With half-widths as units, Gaussian noise of E on the squares and E' on the sum moves the
# variance by E - 2 m E' over n, of a standard deviation of sqrt(5) / 2 times that of the noise on a
# variance by itself at most.
variance_loss <- function(args, sens, call) {
  if (!has_moments(args)) {
    noise_loss(args, sens, noise_alpha(args$mechanism, args$alpha), call)
  } else if (is_gaussian(args)) {
    noise_loss(args, sqrt(5) / 2 * sens * args$n / (args$n - 1), args$alpha, call)
  } else {
    noise_loss(args, 2 * sens, args$alpha / 2, call)
  }
}

# Whether sum and squares are released, and the variance is computed from them.
has_moments <- function(args) drops_missing(args) || args$interval == "population"

variance_way <- function(args, limit) {
  if (drops_missing(args)) {
    moments_of_present(args, limit, TRUE, 1, present_variance)
  } else if (has_moments(args)) {
    moments_of_rows(args, limit, complete_variance)
  } else {
    chain_of_rows(args, limit, variance_chain, variance_result)
  }
}

# The variance of all rows is that of a single block of them.
variance_chain <- function(varType, n, rng, imputeRng, limit) {
  rows <- prepared_rows(varType, n, rng, imputeRng)
  aggregate_chain(rows, named_blocks(rows, "var", 1), 1, limit)
}
