# Snapping (Mironov 2012) rounds a noisy number to a coarse grid and clamps it. The noise is already
# exact here, so rounding and clamping are postprocessing: they only see a release.

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

# Rounding moves a number by less than the noise scale.
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

# Rounds each number of a release to the nearest multiple of the width, halves upwards. Then clamps
# it to the possible answers, widened by the noise. Clamping occurs with probability gamma. `lower`
# and `upper` are public bounds of the answer. If there are several, only that many numbers are
# changed.
then_snap <- function(lhs, sens, epsilon, lower, upper, gamma) {
  width <- rep_len(snapping_width(sens, epsilon), length(upper))
  noise <- snappingGetAccuracy(sens, epsilon, gamma)
  lowest <- floor((lower - noise) / width)
  chain(lhs, build("snap", width, lowest, ceiling((upper + noise) / width)))
}

# Snapping of a statistic's releases: the bounds of its estimate, for each number or for all of
# them. Returns NULL for other mechanisms.
snapping_of <- function(mechanism, lower, upper, gamma) {
  if (mechanism == "mechanismSnapping") list(lower = lower, upper = upper, gamma = gamma)
}

# Error probability for the Laplace formulas that gives the accuracy of the mechanism.
noise_alpha <- function(mechanism, alpha) {
  if (mechanism == "mechanismSnapping") snapping_alpha(alpha) else alpha
}

# Measurement of a statistic, followed by snapping.
snapped <- function(fields) {
  snapping <- fields$snapping
  if (is.null(snapping)) {
    return(fields$measurement)
  }
  then_snap(
    fields$measurement, fields$sens, fields$epsilon, snapping$lower, snapping$upper, snapping$gamma
  )
}
