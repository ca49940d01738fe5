# Gaussian noise in statistics: for a loss in `rho`, or in `epsilon` at a `delta`.
#
# The noise is the same for both. One measurement loses a rho; where epsilon and delta were asked
# for, the release is reported in these by the conversion of rho, and its rho is the largest that
# this leaves. So there is one way to find the noise, and the loss that is reported is always the
# map of what runs.

is_gaussian <- function(fields) identical(fields$mechanism, gaussian_mechanism)

# The arguments with the mechanism that they ask for: `rho` is for Gaussian noise, and so are those
# that are named in `also`, of the mechanism that there is by default.
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

# What a plan of Gaussian noise adds to its arguments: a rule chose the mechanism.
with_chosen_mechanism <- function(plan, args) {
  if (is_gaussian(args)) plan$chosen <- c(plan$chosen, list(mechanism = gaussian_mechanism))
  plan
}

# list(rho, delta): the most that Gaussian noise may lose, and the delta at which that is reported,
# NULL for rho. `epsilon` is the argument of that name, or `globalEps`.
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

# What is large as an epsilon, e, is so as e^2 / 2, which every release of that epsilon loses.
check_rho <- function(rho, call) {
  check_loss_number(rho, call, "rho")
  large <- large_epsilon^2 / 2
  if (rho >= large) {
    warn_dp("`rho = {format(rho)}` is large: at {large} or more the protection is weak.",
      "large_epsilon",
      call = call
    )
  }
  as.double(rho)
}

# The largest rho that converts to `epsilon` at `delta`, but for rounding: that of the least noise.
concentrated_limit <- function(epsilon, delta) {
  scale <- gaussian_mechanism_scale(1, epsilon, delta)
  noisy <- with_features("contrib", {
    build_after("make_gaussian", moved_numbers(), scale, NULL, "ZeroConcentratedDivergence")
  })
  noisy(d_in = 1)
}

# A measurement of rho, reported as `limit` says; all others as they are.
reported <- function(measurement, limit) {
  if (!is.list(limit) || is.null(limit$delta)) {
    return(measurement)
  }
  with_features("contrib", make_fix_delta(make_zCDP_to_approxDP(measurement), limit$delta))
}

# The standard deviation of noise on what moves by `sens` in L2.
gaussian_sigma <- function(sens, limit) sens / sqrt(2 * limit$rho)

# list(epsilon, accuracy, limit, sigma) of numbers that move by `sens`, one or each. `limit` is what
# then_protect() takes.
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

# What then_protect() takes of each part. Rho adds up; parts are rounded down so far that their sum,
# rounded up, is no more than all.
shares_of_rho <- function(rho, shares) {
  lapply(shares, function(share) list(rho = rho * share * (1 - length(shares) * 2^-51)))
}

# The metric of counts that get this noise.
metric_of_noise <- function(limit, type = "f64") {
  paste0(if (is.list(limit)) "L2" else "L1", "Distance<", type, ">")
}

# Moments of several columns, all of them with noise of one standard deviation in half-widths
# (joint_moments.h): the least within the limit.
gaussian_moments <- function(columns, drops, limit, n) {
  calibrated("gaussian_moments", NULL, columns, drops, least, as.double(n),
    d_in = protected_rows, loss = limit$rho
  )
}

# What noise on whole numbers stays within with probability 1 - alpha, for each scale.
whole_gaussian_reach <- function(scale, alpha) {
  vapply(scale, function(sigma) discrete_gaussian_accuracy(sigma, alpha) - 1, 0)
}
