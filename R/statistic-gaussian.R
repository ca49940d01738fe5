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
