#' Compute the tight privacy loss of many releases
#'
#' Computes the privacy profile of several releases from the same data by composing the
#' distributions of their privacy losses instead of bounds on them. For hundreds of releases,
#' epsilon at a given delta is a fraction of the sum of the losses. You can mix kinds of noise and
#' privacy measures.
#'
#' @param measurements (`list`, or its only element) Measurements, and statistics such as
#'   [dpMean()], which count as their measurements. Give at least one. All must have the same input
#'   metric. Their output measures and input domains can differ: for example, each can use different
#'   columns of one data frame.
#' @param d_in (distance) Distance between neighbouring datasets, in the unit of the input metric.
#'   Neighbours must be within it for each measurement. Public. Optional if `measurements` include a
#'   statistic, which has its own `d_in`.
#' @param times (`numeric`) Number of releases of each measurement: one whole number from 0 up for
#'   all, or one for each. Public.
#' @param step (`numeric(1)` or `NULL`) Grid step of the losses, rounded down to a power of two.
#'   `NULL` uses a small part of the standard deviation of the loss. Any step gives a valid profile:
#'   a coarse one is less tight, a fine one takes longer.
#' @returns (`privacy_profile`) A profile: use `profile(epsilon = )`, `profile(delta = )` or
#'   `plot(profile)`, see [new_privacy_profile()].
#' @section Privacy: Let the release have law P on one dataset and Q on a neighbouring one, and let
#'   Y be drawn from P. The privacy loss is \eqn{L = \ln(P(Y) / Q(Y))}, and all releases together
#'   satisfy \deqn{\delta(\epsilon) = E \max(0, 1 - e^{\epsilon - \sum L_i}),} for the worst pair of
#'   datasets at most `d_in` apart, in either order. The worst pair is known for
#'   * Laplace, geometric and Gaussian noise on a number, exactly as it is drawn: discrete, on its
#'     grid. Datasets of rows reach it through the stability map of a chain.
#'   * Laplace noise on vectors. Gaussian noise on vectors if its grid is much finer than the noise
#'     (the default for floating-point numbers), or its scale is above about a third of the squared
#'     distance in steps of the grid, which almost always holds for counts.
#'   * Thresholded noise on maps, with the loss of the noise and a delta for keys that only one of
#'     two maps has.
#'   * Permute-and-flip ([make_noisy_max()] under [max_divergence()], [make_private_quantile()]),
#'     which has the law of Laplace noise. The exponential mechanism ([make_noisy_max()] under
#'     [zero_concentrated_divergence()]), whose losses are in an interval of known length.
#'   * Randomized response on categories, logical values and bit vectors.
#'   * [make_poisson_subsample()] of all these, with the two directions (one row more, one row less)
#'     composed separately, and [make_subsample_without_replacement()].
#'   * Chains, compositions, postprocessings and casts between measures of all these.
#'     [dpCovariance()] and [dpSampleAndAggregate()], if all parts have a law. [dpMean()] and
#'     [dpVariance()] that drop missing values, whose moments share the steps of one path.
#'
#'   Every other measurement is represented by the worst mechanism that its privacy map allows.
#'   Under [max_divergence()] and its [approximate()] form, that is randomized response that can
#'   fail. Under [smoothed_max_divergence()], it is the profile. Under
#'   [zero_concentrated_divergence()], it is the profile for the sum of all rho.
#'
#'   Losses are put on a grid so that the new law dominates the old one. They are convolved by
#'   Fourier transforms, tilted so that the relevant tail becomes the middle. Truncated tails and
#'   all rounding errors are counted as loss, so delta is never below the delta of the worst pair.
#'   It exceeds it by a relative 1e-4 at most for up to 1000 releases of Gaussian noise, down to a
#'   delta of 1e-20. It does not get below about 1e-120 for Gaussian noise. Laws with few different
#'   losses, such as randomized response and discrete noise on counts, are added up without a grid
#'   as long as their sums have few. Delta is then exact up to rounding, and 0 from the sum of all
#'   epsilons on.
#'
#'   The profile also holds if later releases depend on earlier ones, as long as the measurements
#'   and their numbers of releases are fixed.
#' @section Errors: Raises `dp_error_metric_mismatch` if the measurements have different input
#'   metrics, for example statistics for replaced and for added rows. Raises `dp_error_type` for a
#'   measure without a known worst pair: user divergences, and Renyi divergences unless they were
#'   cast from a different measure. Raises `dp_error_invalid_argument` for an empty list or invalid
#'   `times`, `dp_error_make_measurement` for an amplified measurement, and
#'   `dp_error_invalid_distance` if `step` is not positive, or too small. Also raises the errors of
#'   the privacy maps.
#' @template ref-koskela-2020
#' @template ref-doroshenko-2022
#' @template ref-zhu-dong-wang-2022
#' @examples
#' enable_features("contrib")
#' space <- c(atom_domain(.T = "f64", nan = FALSE), absolute_distance(.T = "f64"))
#' noisy <- space |> then_gaussian(scale = 50)
#' profile <- compose_pld(noisy, d_in = 1, times = 365)
#' profile(delta = 1e-7)
#' make_fix_delta(make_zCDP_to_approxDP(make_composition(rep(list(noisy), 365))), 1e-7)(d_in = 1)
#'
#' mixed <- list(noisy, space |> then_laplace(scale = 20))
#' profile <- compose_pld(mixed, d_in = 1, times = c(100, 20))
#' profile$delta(epsilon = 1)
#' plot(profile)
#'
#' # An analysis of several columns:
#' age <- dpMean("mechanismLaplace", "numeric", "age", 10000, c(18, 93), epsilon = 0.5)
#' educ <- dpHistogram("numeric", "educ", 10000, 0.5, rng = c(0, 16), nBins = 16)
#' compose_pld(list(age, educ))(delta = 1e-6)
#' @export
compose_pld <- function(measurements, d_in, times = 1, step = NULL) {
  assert_features("contrib")
  if (inherits(measurements, c("measurement", "dpStatistic"))) measurements <- list(measurements)
  if (!is.list(measurements) || is.object(measurements) || length(measurements) == 0) {
    stop_argument(
      "a list of measurements", describe(measurements), "measurements", environment()
    )
  }
  is_statistic <- vapply(measurements, inherits, NA, "dpStatistic")
  if (missing(d_in)) {
    if (!any(is_statistic)) stop_argument("given", "left out", "d_in", environment())
    d_in <- measurements[[which(is_statistic)[[1]]]]$d_in
  }
  measurements[is_statistic] <- lapply(measurements[is_statistic], `[[`, "measurement")
  if (!is.numeric(times) || !length(times) %in% c(1L, length(measurements))) {
    stop_argument(
      "one whole number, or one for each measurement", describe(times), "times", environment()
    )
  }
  build("compose_pld", measurements, d_in, times, step)
}
