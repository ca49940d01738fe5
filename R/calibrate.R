#' The least noise, or the most loss, within a target
#'
#' Finds the number with which a plan just keeps a promise: the least scale of noise whose loss is
#' within a budget, the largest epsilon of a statistic with which a hundred releases are, the
#' largest scale of an accuracy. The plan is anything that depends on one number. The map of the
#' plan itself is the judge, so what is found keeps the target exactly.
#'
#' `calibrate()` works for all constructors, chains, compositions and statistics, and finds by
#' itself whether the least or the largest number is asked for. It reads no data and spends nothing.
#'
#' @param make (`function`) Takes a number above 0 and returns a measurement, a transformation, or a
#'   statistic such as [dpMean()] makes. What it refuses is not within the target.
#' @param d_in How far apart datasets are, in the unit of the input metric. Public. May be left out
#'   for a statistic, whose `d_in` it is then.
#' @param d_out The target, in the unit of the output measure or metric: a number; a list of epsilon
#'   (or rho) and delta under an approximate measure; where the loss is a privacy profile, or with
#'   `times`, `c(epsilon, delta)`, of which the latter is 0 if it is left out. Names, if there are
#'   any, must say what the loss is counted in. Public.
#' @param times (whole number or `NULL`) How many releases of the plan `d_out` is for, all together,
#'   by [compose_pld()]. `NULL` is one release, by its own map.
#' @param accuracy (`numeric(1)`) In place of `d_in` and `d_out`, how far a release may be from its
#'   value without noise, above 0, in the unit of the release. For Laplace, Gaussian and geometric
#'   noise, see [accuracy]; of a statistic its own `accuracy`.
#' @param alpha (`numeric(1)`) Probability with which noise goes further than `accuracy`. A
#'   statistic has its own.
#' @param bounds (`numeric(2)` or `NULL`) Where to search; `NULL` for all numbers above 0.
#' @param .T (`runtime_type` or `character(1)`) Type of the number, see [type_descriptors]. `f64` by
#'   default, or `i32` if `bounds` are integers.
#' @param tolerance (`numeric(1)`) How close to the best number, relative to it, the search ends:
#'   0 for the last double. By default that, and `2^-20` with `times`, of which each step takes
#'   longer. What is found is within the target whatever the tolerance.
#' @returns (`dp_calibrated`) A list that prints the number, the target, and what is left of it:
#'   * `value`: the number, and `object`: what `make()` makes of it;
#'   * `side`: `"least"` or `"largest"`;
#'   * `target`: a data frame with a row for each part of the target, and the columns `part`,
#'     `allowed`, `reached` and `slack`, which is `1 - reached / allowed`, or 0 where nothing is
#'     allowed. [as.data.frame()] gives it with `value` and `side`.
#' @section Errors: `dp_error_search` if no number is within the target, if all are, or if the loss
#'   does not change in one direction: numbers on both sides of the one that was found are tried.
#'   `dp_error_invalid_argument` for arguments of another form, and for a plan whose accuracy is not
#'   known. The first error of `make()`, if there were nothing but errors.
#' @seealso [binary_search()] for predicates of any kind.
#' @examples
#' enable_features("contrib")
#' rows <- c(vector_domain(atom_domain(bounds = c(0L, 10L))), symmetric_distance())
#' noisy <- \(scale) rows |> then_sum() |> then_laplace(scale)
#' calibrate(noisy, d_in = 1L, d_out = 0.5)
#'
#' # A hundred releases together, with Gaussian noise:
#' gaussian <- \(scale) rows |> then_sum() |> then_gaussian(scale)
#' found <- calibrate(gaussian, d_in = 1L, d_out = c(1, 1e-6), times = 100)
#' found
#' found$object(arg = c(1L, 2L, 3L))
#'
#' # How much each of ten means may lose:
#' age <- \(epsilon) {
#'   dpMean("mechanismLaplace", "numeric", "age", 10000, c(18, 93), epsilon = epsilon)
#' }
#' calibrate(age, d_out = c(1, 1e-6), times = 10)
#'
#' calibrate(noisy, accuracy = 100, alpha = 0.05)
#' @export
calibrate <- function(make, d_in, d_out, times = NULL, accuracy = NULL, alpha = NULL,
                      bounds = NULL, .T = NULL, tolerance = NULL) {
  call <- environment()
  check_function(make)
  given <- c(d_out = !missing(d_out), accuracy = !is.null(accuracy))
  check_exactly_one(given, call)
  check_whole(times, min = 1, null = TRUE)
  check_probability(alpha, null = TRUE)
  if (!is.null(tolerance)) check_number(tolerance, min = 0, below = 1)
  judge <- if (is.null(accuracy)) {
    if (!is.null(alpha)) stop_argument("left out with `d_out`", "given", "alpha", call)
    loss_judge(if (!missing(d_in)) d_in, check_target(d_out, call), times, call)
  } else {
    if (!missing(d_in)) stop_argument("left out with `accuracy`", "given", "d_in", call)
    if (!is.null(times)) stop_argument("left out with `accuracy`", "given", "times", call)
    check_number(accuracy, above = 0)
    function(object) list(accuracy = c(accuracy_of(object, alpha, call), accuracy))
  }
  grid <- calibration_grid(bounds, .T, tolerance %||% if (is.null(times)) 0 else 2^-20, call)
  new_calibrated(find_calibrated(make, judge, grid), judge)
}

check_target <- function(d_out, call) {
  if (inherits(d_out, "dp_loss")) d_out <- unclass(d_out)
  parts <- unlist(d_out)
  is_target <- is_numbers(parts) && length(parts) %in% 1:2 && !anyNA(parts) && all(parts >= 0)
  if (!is_target) {
    stop_argument("a number that is not negative, or two", describe(d_out), "d_out", call)
  }
  target <- stats::setNames(as.double(parts), names(parts))
  allowed <- list(c("", "epsilon", "rho"), c("", "delta"))[seq_along(target)]
  if (!all(mapply(`%in%`, names_of(target), allowed))) {
    came <- paste("of", toString(names(target)))
    stop_argument("the loss, and then `delta`", came, "d_out", call)
  }
  target
}

names_of <- function(x) names(x) %||% rep("", length(x))

# Rho is no epsilon.
check_target_of <- function(object, target, times, call) {
  named <- names_of(target)[[1]]
  measure <- if (inherits(object, "measurement")) toString(object("output_measure")) else ""
  counted <- if (!is.null(times) || grepl("MaxDivergence", measure, fixed = TRUE)) {
    "epsilon"
  } else if (grepl("ZeroConcentratedDivergence", measure, fixed = TRUE)) {
    "rho"
  }
  if (nzchar(named) && !is.null(counted) && named != counted) {
    stop_argument(paste("in", counted, "as the loss of what `make` returns"), paste("in", named),
      "d_out", call)
  }
}

# A judge gives, of what was made, list(part = c(reached, allowed)).
loss_judge <- function(d_in, target, times, call) {
  force(target)
  function(object) {
    if (inherits(object, "dpStatistic")) {
      d_in <- d_in %||% object$d_in
      object <- object$measurement
    }
    if (!inherits(object, c("measurement", "transformation"))) {
      stop_argument("a function that returns a measurement, a transformation or a statistic",
        paste("one that returns", describe(object)), "make", call)
    }
    if (is.null(d_in)) stop_argument("given", "left out", "d_in", call)
    check_target_of(object, target, times, call)
    loss <- if (is.null(times)) object(d_in = d_in) else compose_pld(object, d_in, times)
    if (inherits(loss, "privacy_profile")) {
      delta <- if (length(target) == 2) target[[2]] else 0
      return(list(delta = c(loss(epsilon = target[[1]]), delta)))
    }
    loss <- unlist(loss)
    if (length(loss) == 1 && length(target) == 2 && target[[2]] == 0) target <- target[1]
    if (!is_numbers(loss) || length(loss) != length(target)) {
      stop_argument("of the form of the loss of what `make` returns", "another", "d_out", call)
    }
    parts <- if (length(loss) == 2) c("loss", "delta") else "loss"
    stats::setNames(Map(c, loss, target), parts)
  }
}

# How far a release is from its value without noise, in all but a share `alpha` of releases.
accuracy_of <- function(object, alpha, call) {
  if (inherits(object, "dpStatistic")) {
    if (!is.null(alpha)) stop_argument("left out for a statistic", "given", "alpha", call)
    accuracy <- object[["accuracy"]]
    if (is_number(accuracy)) return(accuracy)
  } else if (inherits(object, "measurement")) {
    node <- plan_of(object)
    while (identical(node$constructor, "make_chain_mt")) node <- plan_of(outer_of(node))
    formula <- scale_to_accuracy(node)
    if (!is.null(formula)) return(formula(node$args$scale, alpha %||% 0.05))
  }
  stop_argument("a function whose result has a known accuracy", "another", "make", call)
}

scale_to_accuracy <- function(node) {
  constructor <- node$constructor %||% ""
  if (!constructor %in% c("make_laplace", "make_gaussian", "make_geometric")) {
    return(NULL)
  }
  if (adds_to_floats(node)) {
    return(switch(constructor,
      make_laplace = laplacian_scale_to_accuracy,
      make_gaussian = gaussian_scale_to_accuracy
    ))
  }
  switch(constructor,
    make_gaussian = discrete_gaussian_scale_to_accuracy,
    discrete_laplacian_scale_to_accuracy
  )
}

# Whether a step that adds noise is given floating-point numbers.
adds_to_floats <- function(node) {
  input <- if (is.null(node$input)) node$args$input_domain else node$input("output_domain")
  grepl("f(32|64)", domain_carrier_type(input))
}
