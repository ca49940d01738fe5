#' Accuracy of private statistics
#'
#' Compute how far Laplace noise can move a release from the statistic of the data, and the loss
#' that a wanted accuracy costs. These functions read no data and spend nothing.
#'
#' With probability `1 - alpha` the noise is within `accuracy` of zero. This covers only the noise,
#' not the sampling of the data.
#'
#' @param sensitivity (`numeric`) Largest effect of one record on the statistic, at least 0, in its
#'   unit.
#' @param epsilon (`numeric`) Privacy loss of one release, above 0.
#' @param accuracy (`numeric`) Distance from the statistic, above 0, in its unit.
#' @param alpha (`numeric`) Probability that the noise goes further, above 0 and below 1.
#' @param release (`numeric`) A released statistic.
#' @param delta (`numeric`) Delta of the stability mechanism.
#' @param mechanism (`character(1)`) Mechanism of a histogram: `"mechanismLaplace"` or
#'   `"mechanismStability"`.
#' @returns `meanGetCI()` returns `numeric(2)`, both ends of the interval. For vectors all lower
#'   ends, then all upper ends. The others return `numeric`, as long as the longest argument, with
#'   the others recycled.
#' @section Formulas: accuracy = sensitivity / epsilon * ln(1 / alpha), solved for either. For the
#'   stability mechanism, with threshold 1 + 2 ln(2 / delta) / epsilon, it is
#'   sensitivity / epsilon * ln(2 / (alpha delta)) + 1. The interval is release - accuracy to
#'   release + accuracy.
#' @section Errors: `dp_error_invalid_argument` for anything except numbers in these ranges.
#' @references Dwork, McSherry, Nissim and Smith (2006), *Calibrating Noise to Sensitivity in
#'   Private Data Analysis*.
#' @examples
#' laplaceGetAccuracy(sensitivity = 75, epsilon = 0.1)
#' laplaceGetEpsilon(sensitivity = 75, accuracy = 1000)
#' meanGetCI(release = 31000, epsilon = 0.1, sensitivity = 75)
#' @name statistic_accuracy
NULL

#' @rdname statistic_accuracy
#' @export
laplaceGetAccuracy <- function(sensitivity, epsilon, alpha = 0.05) {
  check_numbers(sensitivity, zero = TRUE)
  check_numbers(epsilon)
  check_numbers(alpha, below = 1)
  (sensitivity / epsilon) * log(1 / alpha)
}

#' @rdname statistic_accuracy
#' @export
laplaceGetEpsilon <- function(sensitivity, accuracy, alpha = 0.05) {
  check_numbers(sensitivity, zero = TRUE)
  check_numbers(accuracy)
  check_numbers(alpha, below = 1)
  (sensitivity / accuracy) * log(1 / alpha)
}

#' @rdname statistic_accuracy
#' @export
meanGetCI <- function(release, epsilon, sensitivity, alpha = 0.05) {
  if (!is_numbers(release) || anyNA(release)) {
    stop_argument("numbers", describe(release), "release", environment())
  }
  accuracy <- laplaceGetAccuracy(sensitivity, epsilon, alpha)
  c(release - accuracy, release + accuracy)
}

#' The Laplace distribution, and the accuracy of several releases
#'
#' Density, distribution function and quantiles of continuous Laplace noise, and the accuracy of
#' several releases at once or of their sums. Statistics use its discrete form on a fine grid. These
#' functions read no data and spend nothing.
#'
#' @inheritParams statistic_accuracy
#' @param x,p (`numeric`) Values or probabilities to evaluate.
#' @param mu (`numeric`) Centre of the distribution.
#' @param b (`numeric`) Scale, above 0.
#' @param k (whole numbers) Number of releases with independent noise.
#' @param rng (`numeric(2)`) Bounds of the tree's range.
#' @param gran (`numeric(1)`) Width of the tree's leaves.
#' @returns `numeric`, with arguments recycled.
#'
#' * `dLap()`: the density exp(-|x - mu| / b) / (2 b). `pLap()` is its integral and `qLap()` the
#'   inverse of that integral.
#' * `laplaceSimultaneousAccuracy()`: the bound that holds for all `k` draws with probability
#'   `1 - alpha`, exactly: -sensitivity / epsilon * log(1 - (1 - alpha)^(1 / k)).
#' * `treeGetAccuracy()`: a bound on the noise in the count of a range of cells, which holds with
#'   probability `1 - alpha` for each range. It is b sqrt(8 max(L, log(2 / alpha)) log(2 / alpha)),
#'   with L = ceiling(log2(width / gran + 1)) levels and noise scale b = 2 L / epsilon in each.
#' * `treeGetParameters()`: the epsilon for a wanted accuracy of that kind.
#' @section Errors: `dp_error_invalid_argument` for anything except numbers in these ranges.
#' @references Chan, Shi and Song (2011), *Private and Continual Release of Statistics*.
#' @examples
#' qLap(0.975, b = 2)
#' laplaceSimultaneousAccuracy(sensitivity = 2, epsilon = 0.1, k = 16)
#' treeGetAccuracy(epsilon = 1, rng = c(0, 100), gran = 1)
#' @name laplace_accuracy
NULL

# Accepts numbers of either sign, infinite or missing.
check_plain_numbers <- function(x, arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  if (!is_numbers(x) && !(is.logical(x) && all(is.na(x)))) {
    stop_argument("numbers", describe(x), arg, call)
  }
}

#' @rdname laplace_accuracy
#' @export
dLap <- function(x, mu = 0, b = 1) {
  check_plain_numbers(x)
  check_plain_numbers(mu)
  check_numbers(b)
  exp(-abs(x - mu) / b) / (2 * b)
}

#' @rdname laplace_accuracy
#' @export
pLap <- function(x, mu = 0, b = 1) {
  check_plain_numbers(x)
  check_plain_numbers(mu)
  check_numbers(b)
  tail <- exp(-abs(x - mu) / b) / 2
  ifelse(x < mu, tail, 1 - tail)
}

#' @rdname laplace_accuracy
#' @export
qLap <- function(p, mu = 0, b = 1) {
  check_numbers(p, zero = TRUE)
  if (any(p > 1)) stop_argument("at most 1", "above", "p", rlang::current_env())
  check_plain_numbers(mu)
  check_numbers(b)
  mu + b * ifelse(p < 0.5, log(2 * p), -log(2 * (1 - p)))
}

#' @rdname laplace_accuracy
#' @export
laplaceSimultaneousAccuracy <- function(sensitivity, epsilon, alpha = 0.05, k = 1) {
  check_numbers(sensitivity, zero = TRUE)
  check_numbers(epsilon)
  check_numbers(alpha, below = 1)
  check_numbers(k)
  -(sensitivity / epsilon) * log(-expm1(log1p(-alpha) / k))
}

#' @rdname laplace_accuracy
#' @export
treeGetAccuracy <- function(epsilon, rng, gran, alpha = 0.05) {
  check_numbers(epsilon)
  tree_accuracy_at_one(rng, gran, alpha, rlang::current_env()) / epsilon
}

#' @rdname laplace_accuracy
#' @export
treeGetParameters <- function(accuracy, rng, gran, alpha = 0.05) {
  check_numbers(accuracy)
  tree_accuracy_at_one(rng, gran, alpha, rlang::current_env()) / accuracy
}

tree_accuracy_at_one <- function(rng, gran, alpha, call) {
  rng <- check_range(rng, "numeric", call)
  check_number(gran, above = 0, arg = "gran", call = call)
  check_probability(alpha, arg = "alpha", call = call)
  levels <- ceiling(log2(diff(rng) / gran + 1))
  scale <- histogram_sensitivity * levels
  scale * sqrt(8 * max(levels, log(2 / alpha)) * log(2 / alpha))
}
