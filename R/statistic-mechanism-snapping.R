# Snapping (Mironov 2012): a noisy number is rounded to a coarse grid and clamped. Here the noise is
# exact already, so that rounding and clamping are postprocessing: they see nothing but a release.

#' @rdname mechanism_formulas
#' @export
snappingParams <- function(sensitivity, minB, epsilon, alpha = 0.05, gamma = 0.05, unit = 0) {
  check_number(sensitivity, above = 0)
  check_number(minB, above = 0)
  check_number(epsilon, above = 0)
  check_probability(alpha)
  check_probability(gamma)
  check_number(unit, min = 0, below = epsilon / 2)
  bound <- minB + snappingGetAccuracy(sensitivity, epsilon, gamma)
  noise <- (epsilon - 2 * unit) / (1 + 12 * unit * bound / sensitivity)
  c(
    bound = bound, epsilon = noise, width = snapping_width(sensitivity, noise),
    accuracy = snappingGetAccuracy(sensitivity, noise, alpha)
  )
}

# Rounding takes away less than the scale of the noise.
#' @rdname mechanism_formulas
#' @export
snappingGetAccuracy <- function(sensitivity, epsilon, alpha = 0.05) {
  laplaceGetAccuracy(sensitivity, epsilon, snapping_alpha(alpha))
}

#' @rdname mechanism_formulas
#' @export
snappingGetEpsilon <- function(sensitivity, accuracy, alpha = 0.05) {
  laplaceGetEpsilon(sensitivity, accuracy, snapping_alpha(alpha))
}

# ln(1 / alpha) + 1 = ln(1 / (alpha / e)).
snapping_alpha <- function(alpha) alpha / exp(1)

snapping_width <- function(sens, epsilon) sens * 2^ceiling(-log2(epsilon))

# Each number of a release to the nearest multiple of the width, a half upwards, and to those within
# what the answer can be and the noise adds but with probability gamma. `lower` and `upper` are
# public bounds of the answer; with several, only as many numbers are changed.
then_snap <- function(lhs, sens, epsilon, lower, upper, gamma) {
  width <- rep_len(snapping_width(sens, epsilon), length(upper))
  noise <- snappingGetAccuracy(sens, epsilon, gamma)
  lowest <- floor((lower - noise) / width)
  chain(lhs, build("snap", width, lowest, ceiling((upper + noise) / width)))
}

snapping_release <- function(fun, x, sens, fields) {
  bound <- check_number(fields$minB, above = 0, arg = "minB", call = NULL)
  measurement <- laplace_answer(fun, sens, fields)
  if (sens > 0) {
    measurement <- then_snap(measurement, sens, fields$epsilon, -bound, bound, fields$gamma)
  }
  list(release = measurement(arg = x), measurement = measurement)
}

# What a statistic with this mechanism does to its releases: the bounds of what it estimates, for
# each number or for all of them; NULL for other mechanisms.
snapping_of <- function(mechanism, lower, upper, gamma) {
  if (mechanism == "mechanismSnapping") list(lower = lower, upper = upper, gamma = gamma)
}

# The probability at which the Laplace formulas give the accuracy of the mechanism.
noise_alpha <- function(mechanism, alpha) {
  if (mechanism == "mechanismSnapping") snapping_alpha(alpha) else alpha
}

# The measurement of a statistic, with what snapping does to its releases.
snapped <- function(fields) {
  snapping <- fields$snapping
  if (is.null(snapping)) {
    return(fields$measurement)
  }
  then_snap(
    fields$measurement, fields$sens, fields$epsilon, snapping$lower, snapping$upper, snapping$gamma
  )
}
