#' Differentially private variance
#'
#' `dpVariance()` plans a release of the variance of one column, with divisor n - 1, and its
#' standard deviation. Building the plan checks the arguments and chooses the noise without reading
#' data. Each call of `release()` spends `epsilon`, or `rho`.
#'
#' The number of rows `n` is public. Neighbouring datasets differ in one replaced row. With
#' probability `1 - alpha`, the release is within `accuracy` of the variance of the data as used:
#' values are clamped to `rng`, and rows without a value are dropped (or imputed, on request).
#' `interval` does not cover sampling error or the bias from clamping.
#'
#' Do not use this statistic if the number of rows must stay secret: `n` is treated as public.
#'
#' @inheritParams dpMean
#' @param varType (`character(1)`) Type of the column, public: `"numeric"` or `"double"`,
#'   `"integer"` (values outside the 64-bit range are treated as missing) or `"logical"` (0 and 1,
#'   `FALSE` and `TRUE`). See `conversion`.
#' @param n (whole number) Number of rows, public, at least 2.
#' @param accuracy (`numeric(1)`) Target accuracy, in the square of the column's unit. Give it
#'   instead of `epsilon`.
#' @param imputeRng (`numeric(2)`) Range of the uniform draws that replace missing values, if
#'   `missing = "impute"`. The default is `rng`. The draws have a variance of one twelfth of the
#'   squared width, which enters in proportion to their share.
#' @param missing (`character(1)`) Rule for missing values. `"drop"` releases the variance of the
#'   rows with a value, from their noisy count, sum and sum of squares. `"impute"` draws values from
#'   `imputeRng`. It has less noise, but is only right if almost nothing is missing. The default is
#'   `"impute"` if you give `imputeRng`, and `"drop"` otherwise. `"mechanismSnapping"` needs
#'   `"impute"`.
#' @param interval (`character(1)`) Kind of confidence interval. `"population"` adds an interval for
#'   the variance of the population, which covers sampling error and noise, for Laplace and Gaussian
#'   noise. The release then comes from a noisy sum and sum of squares, so its error is up to twice
#'   as large. `"noise"` or `NULL` does not add it.
#' @param ... Not used. Unknown arguments raise an error.
#' @returns An R6 object of class `dpVariance`, with the methods and fields of [dpMean()]. `result`
#'   is a [dp_result] with `release`, `accuracy`, `epsilon`, `variable`, `std` and `interval`. Noise
#'   can move a release below 0 or above the largest possible variance. `std` is the square root of
#'   the release, or 0 if the release is negative. `sens`, the sensitivity of the variance to one
#'   row, is the squared width of `rng` over `n`. This bound is attained. `interval = "population"`
#'   adds `populationInterval`, `populationAlpha` (equal to `alpha`), `stdInterval`, the square
#'   roots of its ends, and `standardError`, an upper bound that covers sampling and noise.
#' @section How it works: Like [dpMean()], with the exact variance of the integers that the values
#'   are rounded to. The public grid differs from the grid of the mean.
#' @section Missing values: With `missing = "drop"`, one measurement releases the count, the sum and
#'   the sum of squares of the rows with a value. One replaced row costs `epsilon`. Let h be half
#'   the width of `rng` and measure x from its middle. The three numbers have discrete Laplace noise
#'   of scales 4, 2 h and 4 h^2, over epsilon. `accuracy` of the object applies to a column without
#'   gaps. It is twice the squared width of `rng`, over `n` epsilon, times log(2 / alpha).
#'   Everything else is as in [dpMean()].
#' @section Interval for the population: See [population_intervals].
#' @section Gaussian noise: See [gaussian_noise], with D equal to the squared width of `rng`, over
#'   n. If the variance comes from moments, all moments have noise of the same standard deviation.
#'   The noise of the variance is then up to sqrt(5) / 2 times as large.
#' @section Errors: See [statistic_errors].
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
                       gamma = 0.05, n_check = "error", missing = c("drop", "impute"),
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

# Loss if moments are released and nothing is missing. The noise of the squares counts once. The
# noise of the sum counts on both sides. In half-widths, Gaussian noise of E on the squares and E'
# on the sum moves the variance by (E - 2 m E') / n. Its standard deviation is at most sqrt(5) / 2
# times the noise on a variance that is released alone.
variance_loss <- function(args, sens, call) {
  if (!has_moments(args)) {
    noise_loss(args, sens, noise_alpha(args$mechanism, args$alpha), call)
  } else if (is_gaussian(args)) {
    noise_loss(args, sqrt(5) / 2 * sens * args$n / (args$n - 1), args$alpha, call)
  } else {
    noise_loss(args, 2 * sens, args$alpha / 2, call)
  }
}

# TRUE if sum and squares are released, and the variance is computed from them.
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

# The variance of all rows is the variance of a single block of them.
variance_chain <- function(varType, n, rng, imputeRng, limit) {
  rows <- prepared_rows(varType, n, rng, imputeRng)
  aggregate_chain(rows, named_blocks(rows, "var", 1), 1, limit)
}

# Numbers computed from the release of a variance, by postprocessing -------------------------------

variance_result <- function(release, fields) {
  all <- c(interval_result(release, fields), list(std = sqrt(max(release, 0))))
  all[c("release", "accuracy", "epsilon", "variable", "std", "interval")]
}

# Result of the sum and the sum of squares of all rows.
complete_variance <- function(release, fields) {
  found <- complete_moments(release, fields)
  known <- variance_of_moments(found)
  released <- found$half^2 * known$estimate
  result <- list(
    release = released, accuracy = max(abs(known$ends - released)), epsilon = fields$epsilon,
    variable = fields$variable, std = sqrt(max(released, 0)), interval = known$ends
  )
  c(result, population_of_variance(found, known$estimate, fields))
}

# Result of the rows with a value.
present_variance <- function(release, fields) {
  found <- present_moments(release, fields, TRUE)
  sampled <- fields$interval == "population"
  if (!found$enough) {
    result <- present_result(NA_real_, c(0, 2 * found$half^2), found, fields)
    few <- if (sampled) variance_fields(c(0, found$half^2), NA_real_, fields)
    return(c(result, list(std = NA_real_), few))
  }
  known <- variance_of_moments(found)
  released <- found$half^2 * known$estimate
  c(
    present_result(released, known$ends, found, fields), list(std = sqrt(max(released, 0))),
    if (sampled) population_of_variance(found, known$estimate, fields)
  )
}

# list(estimate, ends): the variance of u, and in the unit of the column what the rows may have, all
# noise being within its reach.
variance_of_moments <- function(found) {
  sum <- found$values[["sum"]]
  squares <- found$values[["squares"]]
  mean <- within_bounds(sum / found$count, -1, 1)
  estimate <- to_sample(found$count) * (squares / found$count - mean^2)
  means <- within_bounds(ratios(sum, found$reach[["sum"]], found$counts), -1, 1)
  least <- if (prod(means) < 0) 0 else min(means^2)
  powers <- within_bounds(ratios(squares, found$reach[["squares"]], found$counts), 0, 1)
  ends <- pmax(c(powers[[1]] - max(means^2), powers[[2]] - least), 0)
  ends <- ends * to_sample(rev(found$counts))
  list(estimate = estimate, ends = found$half^2 * range(ends, max(estimate, 0)))
}

# `estimate`: the variance of u. Its noise has three parts: of the squares, twice the mean times the
# noise of the sum, and, if rows are counted, of the count with the larger of both factors.
population_of_variance <- function(found, estimate, fields) {
  count <- found$count
  mean <- noisy_mean(found, fields$alpha)
  far <- min(abs(mean$estimate) + mean$reach, 1)
  likely <- min(mean$variance$most, 1)
  scales <- found$scales[c("squares", "sum", "count")] * c(1, 2 * far, max(far^2, likely))
  noise <- sqrt(unit_variance(found)) * to_sample(count) * scales / count
  sampling <- function(v) variance_of_variance(v, 1 + far, count)
  reach <- reach_of_noise(sampling(likely), matrix(noise, 1), fields$alpha, found$normal)
  ends <- within_bounds(estimate + c(-reach, reach), 0, 1)
  error <- sqrt(sampling(within_bounds(estimate, 0, 1)) + sum(noise^2))
  variance_fields(found$half^2 * ends, found$half^2 * error, fields)
}

variance_fields <- function(ends, error, fields) {
  c(population_fields(ends, fields), list(stdInterval = sqrt(ends), standardError = error))
}

# The most that the variance of a variance of n rows can be, if the population has `v` or
# less and no value is farther than `most` from the mean: (m4 - v^2 (n - 3) / (n - 1)) / n, with the
# fourth moment m4 <= most^2 v.
variance_of_variance <- function(v, most, n) {
  left <- (n - 3) / (n - 1)
  if (left > 0) v <- min(v, most^2 / (2 * left))
  (most^2 * v - left * v^2) / n
}
