# Gaussian noise in statistics: for a loss in `rho`, or in `epsilon` at a `delta`.
#
# Both use the same measurement, which loses a rho. For epsilon and delta it gets the largest rho
# that converts to them, and the release reports the converted loss. So one method finds the noise,
# and the reported loss is always the map of the executed measurement.

is_gaussian <- function(fields) identical(fields$mechanism, gaussian_mechanism)

# Sets the mechanism that the arguments imply. `rho` and the arguments in `also` mean Gaussian noise
# if the mechanism is the default.
with_mechanism <- function(args, call, also = "delta") {
  asking <- Filter(function(arg) !is_missing(args[[arg]]), c("rho", also))
  if (length(asking) > 0) {
    if (!(args$mechanism %||% "mechanismLaplace") %in% additive_mechanisms) {
      stop_argument("NULL, for this mechanism", name_public(args[[asking[[1]]]]), asking[[1]], call)
    }
    args$mechanism <- gaussian_mechanism
  }
  args
}

# Adds to a plan with Gaussian noise that a rule chose the mechanism.
with_chosen_mechanism <- function(plan, args) {
  if (is_gaussian(args)) plan$chosen <- c(plan$chosen, list(mechanism = gaussian_mechanism))
  plan
}

# Returns list(rho, delta): the largest rho of the noise, and the delta of the report, NULL for rho.
# `epsilon`: name of the argument with the loss, or `globalEps`.
gaussian_limit <- function(args, call, epsilon = "epsilon") {
  refuse_beside(args, "accuracy", "NULL, for Gaussian noise, whose loss is given", call)
  refuse_beside(args, "weights", "NULL, for Gaussian noise", call)
  if (!is_missing(args$rho)) {
    refuse_beside(args, c("epsilon", "globalEps", "delta"), "NULL beside `rho`", call)
    return(list(rho = check_rho(args$rho, call), delta = NULL))
  }
  if (is_missing(args[[epsilon]])) {
    stop_argument("given with `delta`, or `rho` in place of both", "missing", epsilon, call)
  }
  if (is_missing(args$delta)) {
    stop_argument("given, for Gaussian noise, or `rho` in its place", "missing", "delta", call)
  }
  loss <- check_epsilon(args[[epsilon]], call, epsilon)
  delta <- check_stability_delta(args$delta, args$n, call)
  list(rho = concentrated_limit(loss, delta), delta = delta)
}

refuse_beside <- function(args, names, must, call) {
  for (name in names) {
    if (!is_missing(args[[name]])) stop_argument(must, name_public(args[[name]]), name, call)
  }
}

# Warns about a large rho: e^2 / 2 for a large epsilon e. Every release of epsilon e loses that rho.
check_rho <- function(rho, call) {
  check_number(rho, above = 0, call = call)
  large <- large_epsilon^2 / 2
  if (rho >= large) {
    warn_dp("`rho = {format(rho)}` is large: at {large} or more the protection is weak.",
      "large_epsilon",
      call = call
    )
  }
  as.double(rho)
}

# Largest rho that converts to `epsilon` at `delta`, up to rounding. It has the least noise.
concentrated_limit <- function(epsilon, delta) {
  scale <- gaussian_mechanism_scale(1, epsilon, delta)
  noisy <- with_features("contrib", {
    build_after("make_gaussian", moved_numbers(), scale, NULL, "ZeroConcentratedDivergence")
  })
  noisy(d_in = 1)
}

# Converts the loss of a measurement in rho as `limit` says. Leaves others unchanged.
reported <- function(measurement, limit) {
  if (!is.list(limit) || is.null(limit$delta)) {
    return(measurement)
  }
  with_features("contrib", make_fix_delta(make_zCDP_to_approxDP(measurement), limit$delta))
}

# Standard deviation of noise for L2 sensitivity `sens`.
gaussian_sigma <- function(sens, limit) sens / sqrt(2 * limit$rho)

# Returns list(epsilon, accuracy, limit, sigma) for numbers of sensitivity `sens`, one or one each.
# `limit` goes to then_protect().
noise_loss <- function(args, sens, alpha, call) {
  if (!is_gaussian(args)) {
    loss <- check_loss(args$epsilon, args$accuracy, sens, alpha, call)
    return(c(loss, list(limit = loss$epsilon)))
  }
  limit <- gaussian_limit(args, call)
  sigma <- gaussian_sigma(sens, limit)
  list(
    epsilon = NA_real_, accuracy = sigma * two_sided_quantile(alpha), limit = limit, sigma = sigma
  )
}

# Limits of the parts for then_protect(). Rho adds up. Parts are rounded down until their sum,
# rounded up, is at most the total.
shares_of_rho <- function(rho, shares) {
  lapply(shares, function(share) list(rho = rho * share * (1 - length(shares) * 2^-51)))
}

# Metric of counts for this noise.
metric_of_noise <- function(limit, type = "f64") {
  paste0(if (is.list(limit)) "L2" else "L1", "Distance<", type, ">")
}

# Moments of several columns (joint_moments.h) with one noise deviation in half-widths, the smallest
# within the limit.
gaussian_moments <- function(columns, drops, limit, n) {
  calibrated("gaussian_moments", NULL, columns, drops, least, as.double(n),
    d_in = protected_rows, loss = limit$rho
  )
}

# Bound on the noise of whole numbers that holds with probability 1 - alpha, for each scale.
whole_gaussian_reach <- function(scale, alpha) {
  vapply(scale, function(sigma) discrete_gaussian_accuracy(sigma, alpha) - 1, 0)
}

# Formulas of Gaussian noise -----------------------------------------------------------------------

#' @rdname mechanism_formulas
#' @export
gaussianAchievedDelta <- function(sensitivity, epsilon, sigma) {
  check_number(sensitivity, above = 0)
  check_number(epsilon, min = 0)
  check_number(sigma, above = 0)
  exp(log_gaussian_delta(sensitivity / sigma, epsilon))
}

# Both probabilities and their difference can be too small for doubles.
log_gaussian_delta <- function(distance, epsilon) {
  log_tail <- function(x) stats::pnorm(x, log.p = TRUE)
  near <- log_tail(distance / 2 - epsilon / distance)
  far <- epsilon + log_tail(-distance / 2 - epsilon / distance)
  near + log(-expm1(min(far - near, 0)))
}

#' @rdname mechanism_formulas
#' @export
gaussianAnalyticSigma <- function(sensitivity, epsilon, delta) {
  check_number(sensitivity, above = 0)
  check_number(epsilon, above = 0)
  check_probability(delta)
  excess <- function(log_sigma) log_gaussian_delta(exp(-log_sigma), epsilon) - log(delta)
  # Start at a value where the classical formula, for epsilon at most 1, is more than enough.
  low <- log(2 * sqrt(2 * log(2 / delta)) / min(epsilon, 1))
  while (excess(low) <= 0) low <- low - 1
  sigma <- exp(stats::uniroot(excess, c(low, low + 1), tol = 1e-13)$root)
  # Round toward less loss.
  while (gaussianAchievedDelta(1, epsilon, sigma) > delta) sigma <- sigma * (1 + 1e-13)
  sensitivity * sigma
}

# Space of numbers that move by at most a distance in L2 norm.
moved_numbers <- function() {
  c(vector_domain(atom_domain(.T = "f64", nan = FALSE)), l2_distance(.T = "f64"))
}

# Smallest scale of discrete Gaussian noise for numbers that move by `sens`. It is memoised,
# because the map of its loss is slow and the same public numbers recur with each release.
gaussian_mechanism_scale <- memoised(function(sens, epsilon, delta) {
  made <- calibrated("approximate_gaussian", moved_numbers(), least, delta,
    d_in = as.double(sens), loss = list(epsilon, delta)
  )
  value_of(made, "scale")
})

#' @rdname mechanism_formulas
#' @export
gaussianGetAccuracy <- function(sensitivity, epsilon, delta = 2^-30, alpha = 0.05) {
  check_number(sensitivity, min = 0)
  check_number(epsilon, above = 0)
  check_probability(delta)
  check_probability(alpha)
  gaussian_mechanism_scale(sensitivity, epsilon, delta) * stats::qnorm(1 - alpha / 2)
}

#' @rdname mechanism_formulas
#' @export
gaussianGetEpsilon <- function(sensitivity, accuracy, delta = 2^-30, alpha = 0.05) {
  check_number(sensitivity, above = 0)
  check_number(accuracy, above = 0)
  check_probability(delta)
  check_probability(alpha)
  scale <- accuracy / stats::qnorm(1 - alpha / 2)
  noisy <- build_after("approximate_gaussian", moved_numbers(), scale, delta)
  noisy(d_in = as.double(sensitivity))[[1]]
}

#' @rdname mechanism_formulas
#' @export
zcdpToApproxDP <- function(rho, delta) {
  check_numbers(rho, zero = TRUE)
  check_numbers(delta, below = 1)
  count <- max(length(rho), length(delta))
  core_closed_form_cdp_epsilon(rep_len(rho, count) + 0, rep_len(delta, count))
}

#' Gaussian noise in statistics
#'
#' Most statistics add discrete Gaussian noise if you give `rho`, or `delta` beside `epsilon`. Its
#' standard deviation is `sigma` = D / sqrt(2 rho). D is the L2 sensitivity: the largest Euclidean
#' distance that one replaced row moves the released numbers. One release loses rho.
#'
#' A statistic with Gaussian noise has the fields `rho` and `sigma`, and results have `rho` instead
#' of `epsilon`, or `delta` beside it. `accuracy` is `sigma` times a quantile of the normal law.
#'
#' @section Loss in epsilon and delta: If you give `epsilon` and `delta`, rho is the largest value
#'   that is (epsilon, delta)-differentially private by Proposition 7 of Canonne, Kamath and Steinke
#'   (2020). The reported loss is converted from this rho.
#' @section When to use it: For one release of one number, Gaussian noise is larger than Laplace
#'   noise unless delta is large. It is better for many releases: rho adds up over releases, and the
#'   L2 sensitivity of many numbers is smaller than the sum of their absolute changes.
#' @section Sensitivities: R is the width of `rng`, and n the number of rows.
#'
#'   | statistic | D |
#'   |---|---|
#'   | [dpMean()] | R / n |
#'   | [dpVariance()] | R^2 / n |
#'   | [dpHistogram()], [dpHeavyHitters()] | sqrt(2), on the counts |
#'   | [dpTree()] with h levels | sqrt(2 h), on all counts |
#'   | [dpCovariance()], [dpLM()], [dpPCA()] with P columns | P + 1, on moments in half-widths |
#'   | [dpSampleAndAggregate()] | J D / k for each result, see [block_releases] |
#'
#'   If a mean or a variance drops rows without a value, or has an interval for the population, it
#'   comes from moments. Its page gives their noise. The interval assumes a variance that noise
#'   makes too small only once in 50 / alpha times. It spends the rest of alpha on the normal error
#'   of sampling and noise.
#' @references Bun and Steinke (2016), *Concentrated Differential Privacy: Simplifications,
#'   Extensions, and Lower Bounds*. Canonne, Kamath and Steinke (2020), *The Discrete Gaussian for
#'   Differential Privacy*.
#' @seealso [make_gaussian()] in the framework, [dp_zcdp()] for budgets in rho
#' @examples
#' dpMean("income", n = 10000, rng = c(0, 750000), rho = 0.01)$sigma
#' dpMean("income", n = 10000, rng = c(0, 750000), epsilon = 0.1, delta = 1e-6)$rho
#' @name gaussian_noise
NULL
