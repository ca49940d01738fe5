#' Tight privacy loss of many releases
#'
#' The privacy profile of several releases from the same data, by composing the distributions of
#' their privacy losses instead of bounds on them. For hundreds of releases, epsilon at a given
#' delta is a fraction of what sums of losses give, and the kinds of noise and of measures may be
#' mixed.
#'
#' @param measurements (`list`, or what would be its only element) Measurements, and statistics such
#'   as [dpMean()] makes, which count as their measurements; at least one. All have the same input
#'   metric. They may differ in their output measures, and in their input domains: each may take
#'   columns of its own from one data frame, say.
#' @param d_in How far apart datasets are, in the unit of the input metric: neighbours must be
#'   within it for each measurement. Public. May be left out if there is a statistic among them,
#'   whose `d_in` it is then.
#' @param times (`numeric`) How often each measurement is released: one whole number from 0 up for
#'   all, or one for each. Public.
#' @param step (`numeric(1)` or `NULL`) Distance of the grid of losses, rounded down to a power of
#'   two. `NULL` takes a small part of the standard deviation of the loss. Any step gives a valid
#'   profile; a coarse one is less tight, a fine one takes longer.
#' @returns (`privacy_profile`) `profile(epsilon = )`, `profile(delta = )`, `plot(profile)`; see
#'   [new_privacy_profile()].
#' @section Privacy: Let the release have law P on one dataset and Q on another, and Y be drawn from
#'   P. The privacy loss is \eqn{L = \ln(P(Y) / Q(Y))}, and all releases together satisfy
#'   \deqn{\delta(\epsilon) = E \max(0, 1 - e^{\epsilon - \sum L_i}),} for the worst pair of
#'   datasets at most `d_in` apart and whichever of both is the first. The worst pair is known for
#'
#'   * Laplace, geometric and Gaussian noise on a number, exactly as it is drawn: discrete, on its
#'     grid. Datasets of rows reach it through the stability map of a chain;
#'   * Laplace noise on vectors, and Gaussian noise on vectors if its grid is much finer than the
#'     noise (the default for floating-point numbers), or its scale is above about a third of the
#'     squared distance in steps of the grid, which is next to always so for counts;
#'   * thresholded noise on maps: that of the noise, and beside it delta for keys that only one of
#'     two maps has;
#'   * permute-and-flip ([make_noisy_max()] under [max_divergence()], [make_private_quantile()]),
#'     which has the law of Laplace noise; the exponential mechanism (the same under
#'     [zero_concentrated_divergence()]), whose losses are in an interval of known length;
#'   * randomized response, of categories, of logical values and of bit vectors;
#'   * [make_poisson_subsample()] of all these, of which both directions, with a row more and with
#'     one less, are composed by themselves; [make_subsample_without_replacement()];
#'   * chains, compositions, postprocessings and casts between measures of all these;
#'     [dpCovariance()] and [dpSampleAndAggregate()], where all parts have a law; [dpMean()] and
#'     [dpVariance()] that drop missing values, whose moments share the steps of one path.
#'
#'   Every other measurement stands for the worst mechanism that its own privacy map leaves room
#'   for: under [max_divergence()] and its [approximate()] form that is randomized response which
#'   may fail; under [smoothed_max_divergence()] the profile itself; under
#'   [zero_concentrated_divergence()] that of the sum of all rho.
#'
#'   Losses are put on a grid such that the new law dominates the old one, and convolved by Fourier
#'   transforms, tilted so that the tail in question becomes the middle. Truncated tails and all
#'   rounding errors are counted as loss: delta is never below that of the worst pair, and above it
#'   by a relative 1e-4 at most for up to 1000 releases of Gaussian noise down to a delta of 1e-20.
#'   It does not get below about 1e-120 for Gaussian noise. Laws of few different losses, as those
#'   of randomized response and of discrete noise on counts, are added up without a grid as long as
#'   their sums have few: then delta is above by rounding alone, and 0 from the sum of all epsilons
#'   on.
#'
#'   The profile also holds if later releases depend on earlier ones, as long as what is released
#'   how often is fixed.
#' @section Errors: `dp_error_metric_mismatch` if the measurements have different input metrics, as
#'   statistics for replaced and for added rows have; `dp_error_type` for a measure without a known
#'   worst pair: user divergences, and Renyi ones unless they were cast from another measure;
#'   `dp_error_invalid_argument` for an empty list or bad `times`; `dp_error_make_measurement` for
#'   an amplified measurement; `dp_error_invalid_distance` if `step` is not positive, or too small;
#'   those of the privacy maps.
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
