#' Split a budget over releases
#'
#' Splits a budget over planned releases. `distributeEpsilon()` divides an epsilon by basic
#' composition. `update_parameters()` fits planned releases into a global budget by the better of
#' basic and optimal composition, see [optimal_composition]. They read no data and spend no budget.
#'
#' `update_parameters()` multiplies the epsilons of all releases that are not held by the largest
#' common factor that keeps all releases within the budget. It does not change deltas. An epsilon
#' that is not set (`NA` or 0) gets the average epsilon. If none is set, all get the same one.
#' Otherwise it gets the share that it would have if all free releases were equal, and the others
#' are scaled to the remaining budget, in proportion. A single release gets the whole budget.
#'
#' @param globalEps (`numeric(1)`) Epsilon to divide.
#' @param nCalcs (whole number) Number of equal parts.
#' @param epsilonDist (`numeric`) Parts to use instead of `nCalcs`: positive, with sum 1 within
#'   1e-8.
#' @param params (`matrix`) Planned releases, one in each row. The columns are epsilon, `NA` or 0 if
#'   not set, and delta.
#' @param hold (whole numbers) Rows to leave unchanged, 0 for none.
#' @param eps,del (`numeric(1)`) Epsilon and delta of the global budget.
#' @returns `distributeEpsilon()` returns a `numeric` vector, whose sum is at most `globalEps`.
#'   `update_parameters()` returns a matrix like `params`.
#' @section Errors: Raises `dp_error_invalid_argument` for arguments out of range, and
#'   `dp_error_invalid_distance` if the deltas or the held releases exceed the budget.
#' @examples
#' distributeEpsilon(1, nCalcs = 3)
#' distributeEpsilon(1, epsilonDist = c(0.5, 0.25, 0.25))
#'
#' planned <- cbind(c(0.5, 0.2, NA), 1e-6)
#' update_parameters(planned, hold = 1, eps = 1, del = 1e-5)
#' # Twenty equal releases get more than a twentieth:
#' update_parameters(cbind(rep(NA, 20), 1e-7), hold = 0, eps = 1, del = 1e-5)[1, ]
#' @name split_budget
NULL

#' @rdname split_budget
#' @export
distributeEpsilon <- function(globalEps, nCalcs = NULL, epsilonDist = NULL) {
  check_number(globalEps, above = 0)
  if (is.null(epsilonDist)) {
    epsilonDist <- rep(1, check_positive_whole(nCalcs))
  } else {
    check_numbers(epsilonDist)
    if (abs(sum(epsilonDist) - 1) > 1e-8) {
      stop_argument("of sum 1", "numbers of another sum", "epsilonDist", rlang::current_env())
    }
    if (!is.null(nCalcs) && length(epsilonDist) != nCalcs) {
      stop_argument(paste("of", nCalcs, "numbers"), "of another length", "epsilonDist",
        rlang::current_env())
    }
  }
  core_share_epsilon(globalEps, as.double(epsilonDist))
}

#' @rdname split_budget
#' @export
update_parameters <- function(params, hold, eps, del) {
  call <- rlang::current_env()
  losses <- check_params(params, unset = TRUE)
  check_number(eps, above = 0)
  check_probability(del, zero = TRUE, one = TRUE)
  count <- length(losses$epsilon)
  held <- seq_len(count) %in% check_hold(hold, count, call)
  result <- cbind(epsilon = losses$epsilon, delta = losses$delta)
  dimnames(result) <- dimnames(params)
  if (count == 1) {
    result[] <- c(eps, del)
    return(result)
  }
  if (any(held & losses$epsilon == 0)) {
    stop_argument("rows whose epsilon is set", "one without", "hold", call)
  }
  result[, 1] <- fit_budget(losses, held, eps, del)
  result
}

fit_budget <- function(losses, held, eps, del) {
  scale <- function(epsilon, held) {
    if (all(held)) {
      if (!core_composes_within(epsilon, losses$delta, eps, del)) {
        stop_dp("the rows in `hold` exceed the budget.", "invalid_distance", call = NULL)
      }
      return(epsilon)
    }
    core_scale_to_budget(epsilon, losses$delta, held, eps, del)
  }
  epsilon <- losses$epsilon
  unset <- epsilon == 0
  if (!any(unset)) {
    return(scale(epsilon, held))
  }
  # Scales as if all free releases were equal.
  alike <- scale(ifelse(held, epsilon, 1), held)
  set <- epsilon[!unset & !held]
  if (length(unique(set)) <= 1) {
    return(alike)
  }
  epsilon[unset] <- alike[unset]
  scale(epsilon, held | unset)
}

check_hold <- function(hold, count, call) {
  whole <- is_numbers(hold) && !anyNA(hold) && all(hold == trunc(hold) & hold >= 0 & hold <= count)
  if (!whole) stop_argument("numbers of rows, or 0", describe(hold), "hold", call)
  hold
}

#' Compose releases as tightly as possible
#'
#' Computes the joint loss of several releases from the same data, if release i is (epsilon_i,
#' delta_i)-differentially private, and splits a budget over releases. These functions read no data
#' and spend no budget.
#'
#' The composition is (e, d)-private, for every choice of mechanisms with these parameters, exactly
#' when the sum over all subsets S of max(exp(sum of epsilon in S) - exp(e + sum of epsilon not in
#' S), 0) is at most prod(1 + exp(epsilon_i)) (1 - (1 - d) / prod(1 - delta_i)). It is evaluated
#' without its 2^k terms, without overflow for thousands of releases, and rounded toward more loss.
#' Equal epsilons, and few different ones, are exact to ten digits. Many different ones are put on a
#' grid, which slightly overstates the loss (by 0.03 percent for 2000 releases at 0.01).
#'
#' You can choose later releases after earlier results are known, if you fix their parameters in
#' advance.
#'
#' @param epsilon,delta (`numeric`) Losses of the releases: epsilon above 0, delta at least 0 and
#'   below 1. Recycled to the longer.
#' @param globalDelta,globalEpsilon (`numeric(1)`) Delta, or epsilon, of all releases together.
#' @param params (`matrix`) Releases, one in each row, with the columns epsilon and delta.
#' @param d_g,e_g (`numeric(1)`) Delta and epsilon of all releases together.
#' @param err (`numeric(1)`) Allowed error of the answer, kept for old scripts. The actual error is
#'   smaller.
#' @param k (whole number) Number of releases with the same `epsilon`.
#' @param slack (`numeric(1)`) Delta that advanced composition adds.
#' @returns
#' * `optimalComposition()`: the least epsilon at `globalDelta`, never above the sum.
#' * `compositionDelta()`: the least delta at `globalEpsilon`.
#' * `isDP()`: whether the releases are shown to be (`e_g`, `d_g`)-private. Never wrongly `TRUE`.
#' * `KOVhom()` and `approxComp()`: `optimalComposition()`, the former for equal rows only.
#' * `KOVhet()`: the least of three formulas, `A = sum(epsilon)`, `D + sqrt(2 S log(exp(1) + sqrt(S)
#'   / r))`, `D + sqrt(2 S log(1 / r))`, with `D = sum(epsilon * tanh(epsilon / 2))`, `S =
#'   sum(epsilon^2)`, and r for `1 - (1 - d_g) / prod(1 - delta)`.
#' * `advancedComposition()`: `sqrt(2 k log(1 / slack)) epsilon + k epsilon (exp(epsilon) - 1)`, for
#'   comparison, rounded up.
#' @section Errors: Raises `dp_error_invalid_argument` for arguments out of range, and
#'   `dp_error_invalid_distance` if the deltas of the releases already exceed the global one, so
#'   that no epsilon is sufficient.
#' @references Kairouz, Oh and Viswanath (2015), *The Composition Theorem for Differential Privacy*.
#'   Murtagh and Vadhan (2016), *The Complexity of Computing the Optimal Composition of Differential
#'   Privacy*. Dwork, Rothblum and Vadhan (2010), *Boosting and Differential Privacy*.
#' @seealso [split_budget]
#' @examples
#' # A thousand releases of 0.1 are 100 by their sum:
#' optimalComposition(rep(0.1, 1000), 0, globalDelta = 1e-6)
#' compositionDelta(c(0.1, 0.2, 0.3), 1e-7, globalEpsilon = 0.5)
#' isDP(cbind(c(0.1, 0.2, 0.3), 1e-7), d_g = 1e-5, e_g = 0.6)
#' @name optimal_composition
NULL

#' @rdname optimal_composition
#' @export
optimalComposition <- function(epsilon, delta, globalDelta) {
  losses <- check_losses(epsilon, delta)
  check_probability(globalDelta, zero = TRUE, one = TRUE)
  core_optimal_epsilon(losses$epsilon, losses$delta, globalDelta)
}

#' @rdname optimal_composition
#' @export
compositionDelta <- function(epsilon, delta, globalEpsilon) {
  losses <- check_losses(epsilon, delta)
  check_number(globalEpsilon, min = 0)
  core_optimal_delta(losses$epsilon, losses$delta, globalEpsilon)
}

#' @rdname optimal_composition
#' @export
isDP <- function(params, d_g, e_g, err = 0.01) {
  losses <- check_params(params)
  check_probability(d_g, zero = TRUE, one = TRUE)
  check_number(e_g, min = 0)
  check_number(err, above = 0)
  core_composes_within(losses$epsilon, losses$delta, e_g, d_g)
}

#' @rdname optimal_composition
#' @export
KOVhom <- function(params, d_g) { # nolint: object_name_linter.
  losses <- check_params(params)
  if (length(unique(losses$epsilon)) > 1 || length(unique(losses$delta)) > 1) {
    stop_argument("of equal rows", "a matrix of different ones", "params", rlang::current_env())
  }
  optimalComposition(losses$epsilon, losses$delta, d_g)
}

#' @rdname optimal_composition
#' @export
KOVhet <- function(params, d_g) { # nolint: object_name_linter.
  losses <- check_params(params)
  check_probability(d_g, zero = TRUE, one = TRUE)
  core_closed_form_epsilon(losses$epsilon, losses$delta, d_g)
}

#' @rdname optimal_composition
#' @export
approxComp <- function(params, d_g, err = 0.01) {
  losses <- check_params(params)
  check_number(err, above = 0)
  optimalComposition(losses$epsilon, losses$delta, d_g)
}

#' @rdname optimal_composition
#' @export
advancedComposition <- function(k, epsilon, slack) {
  k <- check_positive_whole(k)
  check_number(epsilon, above = 0)
  check_probability(slack)
  core_advanced_composition(k, epsilon, slack)
}

check_losses <- function(epsilon, delta, zero = FALSE, call = rlang::caller_env()) {
  check_numbers(epsilon, zero = zero, call = call)
  check_numbers(delta, zero = TRUE, below = 1, call = call)
  count <- max(length(epsilon), length(delta))
  if (count %% length(epsilon) != 0 || count %% length(delta) != 0) {
    stop_argument("as long as `epsilon`, or one number", "of another length", "delta", call)
  }
  list(epsilon = rep_len(as.double(epsilon), count), delta = rep_len(as.double(delta), count))
}

# Epsilons that are `unset` can be 0 or missing.
check_params <- function(params, unset = FALSE, call = rlang::caller_env()) {
  if (is.data.frame(params)) params <- as.matrix(params)
  if (!is.matrix(params) || ncol(params) != 2 || nrow(params) == 0) {
    stop_argument("a matrix of two columns, epsilon and delta", describe(params), "params", call)
  }
  epsilon <- suppressWarnings(as.double(params[, 1]))
  if (unset) epsilon[is.na(epsilon)] <- 0
  check_losses(epsilon, suppressWarnings(as.double(params[, 2])), zero = unset, call = call)
}

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
