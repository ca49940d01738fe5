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
