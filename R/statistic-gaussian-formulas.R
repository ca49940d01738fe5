# Formulas of Gaussian noise.

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
