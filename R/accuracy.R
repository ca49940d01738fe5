#' Convert between noise scale and accuracy
#'
#' Computes the accuracy of noise with a given scale, or the scale for a given accuracy. With
#' probability `1 - alpha`, continuous noise is within `accuracy` of zero, and discrete noise is
#' strictly closer to zero than `accuracy`. These functions read no data and spend no budget.
#'
#' @param scale (`numeric(1)`) Noise scale, at least 0, in the unit of the release: the standard
#'   deviation of a Gaussian, the mean absolute value of a Laplace distribution.
#' @param accuracy (`numeric(1)`) Distance from the true value, at least 0, in the unit of the
#'   release.
#' @param alpha (`numeric(1)`) Probability that the noise exceeds the accuracy. Above 0, and at most
#'   1 for `*_scale_to_accuracy()`, below 1 for `accuracy_to_*_scale()`.
#' @param .T (`runtime_type` or `character(1)`) Type of the result, `f64` by default, or `f32` to
#'   round the result to 32 bits. See [type_descriptors].
#' @returns `numeric(1)`, in the unit of the release.
#' @section Formulas: With scale s, probability \eqn{\alpha}{alpha}, accuracy a, and z the
#'   \eqn{1 - \alpha/2}{1 - alpha/2} quantile of the standard normal distribution:
#' * Laplace: \eqn{a = s \ln(1/\alpha)}{a = s ln(1/alpha)}.
#' * Gaussian: \eqn{a = s z}{a = s z}.
#' * Discrete Laplace: from \eqn{P(|X| \ge a) = 2 e^{-a/s} / (1 + e^{-1/s})}{P(|X| >= a) =
#'   2 exp(-a/s) / (1 + exp(-1/s))}, so
#'   \eqn{a = s \ln(2 / (\alpha (1 + e^{-1/s})))}{a = s ln(2 / (alpha (1 + exp(-1/s))))}, and 1 at
#'   s = 0.
#' * Discrete Gaussian: the smallest whole a of at least 1 with \eqn{P(|X| \ge a) \le
#'   \alpha}{P(|X| >= a) <= alpha}.
#'
#' The inverses return the scale that just reaches the accuracy. For discrete noise, it never
#' exceeds the scale of continuous noise with this accuracy.
#' @section Errors: Raises `dp_error_invalid_distance` if `scale` or `accuracy` is negative or
#'   `alpha` is outside its range, `dp_error_type` if `.T` is not a float type, and
#'   `dp_error_invalid_argument` if an argument is not a single number.
#' @template ref-ghosh-roughgarden-sundararajan-2009
#' @template ref-canonne-kamath-steinke-2020
#' @examples
#' laplacian_scale_to_accuracy(scale = 1, alpha = 0.05)
#' accuracy_to_gaussian_scale(accuracy = 10, alpha = 0.05)
#' discrete_gaussian_scale_to_accuracy(scale = 20, alpha = 0.05)
#' @name accuracy
NULL

#' @rdname accuracy
#' @export
laplacian_scale_to_accuracy <- function(scale, alpha, .T = NULL) {
  check_accuracy_args(scale, alpha, .T)
  in_type(scale * abs(log(alpha)), .T)
}

#' @rdname accuracy
#' @export
accuracy_to_laplacian_scale <- function(accuracy, alpha, .T = NULL) {
  check_accuracy_args(accuracy, alpha, .T, one = FALSE)
  in_type(laplacian_scale(accuracy, alpha), .T)
}

#' @rdname accuracy
#' @export
gaussian_scale_to_accuracy <- function(scale, alpha, .T = NULL) {
  check_accuracy_args(scale, alpha, .T)
  in_type(scale * two_sided_quantile(alpha), .T)
}

#' @rdname accuracy
#' @export
accuracy_to_gaussian_scale <- function(accuracy, alpha, .T = NULL) {
  check_accuracy_args(accuracy, alpha, .T, one = FALSE)
  in_type(gaussian_scale(accuracy, alpha), .T)
}

#' @rdname accuracy
#' @export
discrete_laplacian_scale_to_accuracy <- function(scale, alpha, .T = NULL) {
  check_accuracy_args(scale, alpha, .T)
  in_type(if (scale == 0) 1 else discrete_laplacian_accuracy(scale, alpha), .T)
}

#' @rdname accuracy
#' @export
accuracy_to_discrete_laplacian_scale <- function(accuracy, alpha, .T = NULL) {
  check_accuracy_args(accuracy, alpha, .T, one = FALSE)
  exceeds <- function(scale) discrete_laplacian_accuracy(scale, alpha) > accuracy
  in_type(smallest_scale(exceeds, laplacian_scale(accuracy, alpha)), .T)
}

#' @rdname accuracy
#' @export
discrete_gaussian_scale_to_accuracy <- function(scale, alpha, .T = NULL) {
  check_accuracy_args(scale, alpha, .T)
  in_type(discrete_gaussian_accuracy(scale, alpha), .T)
}

#' @rdname accuracy
#' @export
accuracy_to_discrete_gaussian_scale <- function(accuracy, alpha, .T = NULL) {
  check_accuracy_args(accuracy, alpha, .T, one = FALSE)
  in_type(discrete_gaussian_scale(accuracy, alpha), .T)
}

check_accuracy_args <- function(size, alpha, .T, one = TRUE, arg = rlang::caller_arg(size),
                                call = rlang::caller_env()) {
  type <- if (is.null(.T)) "f64" else rt_to_string(rt_parse(.T))
  if (!type %in% float_types) {
    stop_no_match(type, call)
  }
  check_number(size, arg = arg, call = call)
  check_number(alpha, call = call)
  if (size < 0) {
    stop_dp("{arg} ({size}) may not be negative", "invalid_distance", call = call)
  }
  range <- if (one) "(0, 1]" else "(0, 1)"
  if (alpha <= 0 || alpha > 1 || (!one && alpha == 1)) {
    stop_dp("alpha ({alpha}) must be in {range}", "invalid_distance", call = call)
  }
}

in_type <- function(x, .T) {
  if (!is.null(.T) && rt_to_string(rt_parse(.T)) == "f32") nearest_f32(x) else x
}

# The number of standard deviations that a normal variable exceeds, on either side, with probability
# `alpha`. Uses the lower tail, which is exact up to 1. Near 0, half of alpha is not a double.
two_sided_quantile <- function(alpha) {
  abs(if (alpha < 2^-1000) {
    stats::qnorm(log(alpha) - log(2), log.p = TRUE)
  } else {
    stats::qnorm(alpha / 2)
  })
}

laplacian_scale <- function(accuracy, alpha) accuracy / abs(log(alpha))

gaussian_scale <- function(accuracy, alpha) accuracy / two_sided_quantile(alpha)

# log(1 + e^(1/s)) = 1/s + log(1 + e^(-1/s)), without overflow for small scales.
discrete_laplacian_accuracy <- function(scale, alpha) {
  scale * (log(2) - log(alpha) - log1p(exp(-1 / scale)))
}

# The smallest scale, up to `largest`, whose noise exceeds an accuracy.
smallest_scale <- function(exceeds, largest) {
  if (largest > 0 && exceeds(largest)) {
    binary_search(exceeds, bounds = c(0, largest))
  } else {
    largest
  }
}

# From this scale on, the sum over whole numbers in a tail of the discrete Gaussian is replaced by
# an integral from half a step further out, x = a - 1/2. By the Euler-Maclaurin formula, with the
# normal density p of scale s and its derivative p',
#
#   P(|X| >= a) = 2 (integral of p over [x, Inf) + p'(x) / 24 + O(s^-4)),
#
# which equals alpha at x = z s - z / (24 s) + O(s^-3), where z s is the same point for the
# continuous tail. From this scale on, the omitted terms are below 1e-12 of x, for any double alpha.
integral_from <- 1000

discrete_gaussian_accuracy <- function(scale, alpha) {
  if (scale < integral_from) {
    # An accuracy of a needs the tail from a on. The first tail starts at 1.
    return(as.double(which(discrete_gaussian_tails(scale) <= alpha)[[1]]))
  }
  z <- two_sided_quantile(alpha)
  max(1, ceiling(z * scale - z / (24 * scale) + 0.5))
}

discrete_gaussian_scale <- function(accuracy, alpha) {
  # Noise is whole, so an accuracy of at most 1 requires noise that is always 0.
  steps <- max(1, trunc(accuracy))
  largest <- gaussian_scale(accuracy, alpha)
  if (largest < integral_from) {
    tail <- function(scale) c(discrete_gaussian_tails(scale), numeric(steps))[[steps]]
    return(smallest_scale(function(scale) scale > 0 && tail(scale) > alpha, largest))
  }
  # The positive root s of x = z s - z / (24 s).
  x <- steps - 0.5
  z <- two_sided_quantile(alpha)
  min(largest, (x + sqrt(x^2 + z^2 / 6)) / (2 * z))
}

# P(|X| >= a) for a = 1, 2, ... up to the first that a double cannot distinguish from 0. The sum
# starts at the smallest term.
discrete_gaussian_tails <- function(scale) {
  # exp(-39^2 / 2) is 0 in doubles.
  steps <- seq_len(ceiling(39 * scale) + 1)
  tails <- 2 * rev(cumsum(rev(exp(-(steps / scale)^2 / 2))))
  tails / (1 + tails[[1]])
}
