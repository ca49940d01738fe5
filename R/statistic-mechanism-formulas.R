#' Formulas of mechanisms
#'
#' These functions compute accuracies, losses and noise parameters of mechanisms from public
#' numbers. They do not read data or spend budget.
#'
#' @inheritParams statistic_accuracy
#' @param delta (`numeric(1)`) Probability bound of the loss, above 0 and below 1.
#' @param sigma (`numeric(1)`) Standard deviation of Gaussian noise, above 0.
#' @param rho (`numeric`) Loss in zero-concentrated differential privacy, at least 0.
#' @param grid (`numeric(1)`) Distance between two releases, above 0.
#' @param t (`numeric`) Distance, a multiple of `grid`, above 0.
#' @param quality (`numeric`) Score of each candidate.
#' @param candidates (whole number) Number of candidates.
#' @param k (whole number) Number of blocks.
#' @param n (whole number) Number of rows, public.
#' @param lambda (`numeric(1)`) Ridge for each row, above 0.
#' @param c (`numeric(1)`) Largest curvature of the loss of a row, above 0. 1/4 for logistic
#'   regression.
#' @param eta (`numeric(1)`) Additional exponent of the radius, above 0.
#' @param smoothSensitivity (`numeric`) Smooth sensitivity S, private. It bounds the change of the
#'   answer by one row at these data. At data that differ in t rows, it bounds the change times
#'   exp(-beta t).
#' @param beta (`numeric`) Smoothing parameter, above 0 and below `epsilon`.
#' @param minB (`numeric(1)`) Bound on the magnitude of the answer, public, above 0.
#' @param gamma (`numeric(1)`) Probability that the clamp changes a release.
#' @param unit (`numeric(1)`) Relative error of the arithmetic that adds the noise: 0 for exact
#'   noise, as in this package, or `2^-53` for doubles.
#' @returns `numeric`.
#'
#' * `gaussianAchievedDelta()`: the delta of continuous Gaussian noise, `pnorm(D / (2 s) - epsilon s
#'   / D) - exp(epsilon) pnorm(-D / (2 s) - epsilon s / D)`, where s is `sigma` and D the L2
#'   `sensitivity`. `gaussianAnalyticSigma()`: the smallest `sigma` for a `delta` (Balle and Wang).
#' * `gaussianGetAccuracy()`: the bound that the noise of [mechanismGaussian][mechanisms] stays
#'   within with probability `1 - alpha`. `gaussianGetEpsilon()`: its inverse.
#' * `zcdpToApproxDP()`: rho + 2 sqrt(rho log(1 / delta)), rounded up (Bun and Steinke).
#'   [make_zCDP_to_approxDP()] is tighter.
#' * `discreteLaplaceTail()`: the probability that noise on a grid has magnitude `t` or more. Noise
#'   at grid point z has probability proportional to exp(-|z| epsilon / sensitivity). The
#'   probability is 2 exp(-t / b) / (1 + exp(-grid / b)), with b = sensitivity / epsilon.
#' * `exponentialMechanismProbabilities()`: probabilities proportional to exp(epsilon quality / (2
#'   sensitivity)). `exponentialGetAccuracy()`: with probability `1 - alpha`, the score is within
#'   2 sensitivity / epsilon log(candidates / alpha) of the best. `exponentialGetEpsilon()`: its
#'   inverse.
#' * `smith11Radius()`: k^(1/3 + eta). The range of a winsorized mean reaches, to either side of its
#'   middle, 4 times this many crude interquartile ranges of `k` block results (Smith).
#' * `smoothSensitivityCauchyScale()`: S / (epsilon - beta), the scale of Cauchy noise with loss
#'   `epsilon`: a shift by S costs epsilon - beta, and a stretch by exp(beta) costs beta (Nissim,
#'   Raskhodnikova and Smith). The trimmed mean of [dpSampleAndAggregate()] has similar noise, with
#'   lighter tails.
#' * `snappingParams()`: a vector. `bound` is the largest magnitude of a release, minB + sensitivity
#'   / epsilon (1 + log(1 / gamma)). `epsilon` is the epsilon of the noise. `width` is the distance
#'   between releases, sensitivity times the smallest power of two not below 1 / epsilon. `accuracy`
#'   is sensitivity / epsilon (1 + log(1 / alpha)). If `unit` is not 0, epsilon becomes (epsilon - 2
#'   unit) / (1 + 12 unit bound / sensitivity) in the numbers after `bound`.
#'   `snappingGetAccuracy()`, `snappingGetEpsilon()`: the accuracy at `unit` 0, and its inverse.
#' * `objectivePerturbationEpsPrime()`: a vector. `epsilon` is the part left for noise after
#'   2 log(1 + c / (n lambda)) for the volumes. If that leaves nothing, it is half of epsilon, with
#'   a larger ridge. `ridge` is the addition to `lambda` in that case, c / (n (exp(epsilon / 4) -
#'   1)) - lambda, and 0 otherwise. `rate` is epsilon / 2, for noise with density proportional to
#'   exp(-rate |b|). This is algorithm 2 of Chaudhuri, Monteleoni and Sarwate. [dpGLM()] needs a
#'   smaller ridge, by a finer bound.
#' @section Errors: `dp_error_invalid_argument` for arguments that are not numbers in these ranges.
#' @references Chaudhuri, Monteleoni and Sarwate (2011), *Differentially Private Empirical Risk
#'   Minimization*. Balle and Wang (2018), *Improving the Gaussian Mechanism for Differential
#'   Privacy*.
#'   Bun and Steinke (2016), *Concentrated Differential Privacy*. McSherry and Talwar (2007),
#'   *Mechanism Design via Differential Privacy*. Smith (2011), *Privacy-Preserving Statistical
#'   Estimation with Optimal Convergence Rates*. Mironov (2012), *On Significance of the Least
#'   Significant Bits for Differential Privacy*.
#' @examples
#' gaussianAnalyticSigma(sensitivity = 1, epsilon = 1, delta = 1e-6)
#' gaussianGetAccuracy(sensitivity = 1, epsilon = 1, delta = 1e-6)
#' exponentialMechanismProbabilities(quality = c(10, 8, 3), epsilon = 1, sensitivity = 1)
#' snappingParams(sensitivity = 20, minB = 2e5, epsilon = 0.1)
#' @order 1
#' @name mechanism_formulas
NULL

#' @rdname mechanism_formulas
#' @export
discreteLaplaceTail <- function(sensitivity, epsilon, grid, t) {
  check_number(sensitivity, above = 0)
  check_number(epsilon, above = 0)
  check_number(grid, above = 0)
  check_numbers(t)
  rate <- epsilon / sensitivity
  2 * exp(-t * rate) / (1 + exp(-grid * rate))
}

#' @rdname mechanism_formulas
#' @export
exponentialMechanismProbabilities <- function(quality, epsilon, sensitivity) {
  if (!is_numbers(quality) || length(quality) == 0 || !all(is.finite(quality))) {
    stop_argument("finite numbers", describe(quality), "quality", rlang::current_env())
  }
  check_number(epsilon, above = 0)
  check_number(sensitivity, above = 0)
  weights <- exp((quality - max(quality)) * (epsilon / (selection_factor * sensitivity)))
  weights / sum(weights)
}

#' @rdname mechanism_formulas
#' @export
exponentialGetAccuracy <- function(sensitivity, epsilon, candidates, alpha = 0.05) {
  laplaceGetAccuracy(selection_factor * sensitivity, epsilon, alpha / candidates)
}

#' @rdname mechanism_formulas
#' @export
exponentialGetEpsilon <- function(sensitivity, accuracy, candidates, alpha = 0.05) {
  laplaceGetEpsilon(selection_factor * sensitivity, accuracy, alpha / candidates)
}

#' @rdname mechanism_formulas
#' @export
smith11Radius <- function(k, eta = 0.1) {
  check_numbers(k)
  check_numbers(eta)
  k^(1 / 3 + eta)
}

#' @rdname mechanism_formulas
#' @export
smoothSensitivityCauchyScale <- function(smoothSensitivity, epsilon, beta) {
  check_numbers(smoothSensitivity, zero = TRUE)
  check_numbers(epsilon)
  check_numbers(beta, below = min(epsilon))
  smoothSensitivity / (epsilon - beta)
}

#' @rdname mechanism_formulas
#' @export
objectivePerturbationEpsPrime <- function(epsilon, n, lambda, c = 1 / 4) {
  check_number(epsilon, above = 0)
  check_positive_whole(n)
  check_number(lambda, above = 0)
  check_number(c, above = 0)
  left <- epsilon - 2 * log1p(c / (n * lambda))
  ridge <- if (left > 0) 0 else c / (n * expm1(epsilon / 4)) - lambda
  if (left <= 0) left <- epsilon / 2
  base::c(epsilon = left, ridge = ridge, rate = left / 2)
}

# Snapping (Mironov 2012) rounds a noisy number to a coarse grid and clamps it ---------------------

# The noise is already exact here, so rounding and clamping are postprocessing: they only see a
# release.

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

# Releases of the mechanism classes, one for each kind of noise ------------------------------------

snapping_release <- function(fun, x, sens, fields) {
  bound <- check_number(fields$minB, above = 0, arg = "minB", call = NULL)
  measurement <- laplace_answer(fun, sens, fields)
  if (sens > 0) {
    measurement <- then_snap(measurement, sens, fields$epsilon, -bound, bound, fields$gamma)
  }
  list(release = measurement(arg = x), measurement = measurement)
}

laplace_release <- function(fun, x, sens, fields) {
  measurement <- laplace_answer(fun, sens, fields)
  list(release = measurement(arg = x), measurement = measurement)
}

laplace_answer <- function(fun, sens, fields) {
  answered(fun, sens, fields, l1_distance(.T = "f64")) |> then_protect(fields$epsilon)
}

gaussian_release <- function(fun, x, sens, fields) {
  chain <- answered(fun, sens, fields, l2_distance(.T = "f64"))
  scale <- gaussian_mechanism_scale(sens, fields$epsilon, fields$delta)
  measurement <- build_after("approximate_gaussian", chain, scale, fields$delta)
  list(release = measurement(arg = x), measurement = measurement)
}

selection_release <- function(fun, x, sens, fields) {
  chain <- answered(fun, sens, fields, linf_distance(.T = "f64"), length(fields$bins))
  measurement <- calibrated("make_noisy_max", chain, max_divergence(), least, FALSE,
    d_in = protected_rows, loss = fields$epsilon
  )
  place <- as.double(measurement(arg = x)) + 1
  list(release = fields$bins[[place]], measurement = measurement)
}

# `fun` sees one value at a time, so a protected row stays one row.
stability_release <- function(fun, x, sens, fields) {
  if (sens != histogram_sensitivity) stop_argument("2", "another number", "sens", NULL)
  delta <- check_stability_delta(fields$delta, fields$n, NULL)
  callback <- new_callback(fun, "fun", NULL)
  read <- function(fun, i) as_text(fun(x[[i]]))
  texts <- as.character(call_each(callback, length(x), read, failed = NA_character_))
  fields$varType <- "character"
  built <- stability_chain(fields, list(epsilon = fields$epsilon, delta = delta))
  counts <- surviving_counts(built$measurement(arg = texts), fields)
  list(release = counts, threshold = built$threshold, measurement = built$measurement)
}

as_text <- function(x) {
  text <- if (is_text_column(x)) core_texts(x)
  if (length(text) == 1) text else NA_character_
}
