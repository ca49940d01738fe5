#' Find the least noise or the largest loss within a target
#'
#' Finds the number that makes a plan just meet a target: the smallest noise scale within a budget,
#' the largest epsilon that keeps a hundred releases within it, or the largest scale at a given
#' accuracy. The plan can be anything that depends on one number. The search evaluates the plan's
#' own map, so the result meets the target exactly.
#'
#' `calibrate()` works for all constructors, chains, compositions and statistics. It detects whether
#' to look for the smallest or the largest number. It reads no data and spends no budget.
#'
#' @param make (`function`) Function of one number above 0 that returns a measurement, a
#'   transformation, or a statistic such as [dpMean()]. If it raises an error, the number counts as
#'   outside the target.
#' @param d_in (distance) Distance between neighbouring datasets, in the unit of the input metric.
#'   Public. Optional for a statistic, which has its own `d_in`.
#' @param d_out (distance) The target, in the unit of the output measure or metric. This is a
#'   number, or a list of epsilon (or rho) and delta under an approximate measure. For a privacy
#'   profile, or with `times`, it is `c(epsilon, delta)`, and delta defaults to 0. Names, if given,
#'   must match the unit of the loss. Public.
#' @param times (whole number or `NULL`) Number of releases of the plan that share `d_out`, composed
#'   by [compose_pld()]. `NULL` is one release, with its own map.
#' @param accuracy (`numeric(1)`) Target that replaces `d_in` and `d_out`: the largest distance of a
#'   release from its value without noise. Above 0, in the unit of the release. For Laplace,
#'   Gaussian and geometric noise, see [accuracy]. A statistic uses its own `accuracy`.
#' @param alpha (`numeric(1)`) Probability that the noise exceeds `accuracy`. A statistic uses its
#'   own `alpha`.
#' @param bounds (`numeric(2)` or `NULL`) Interval to search. `NULL` searches all numbers above 0.
#' @param .T (`runtime_type` or `character(1)`) Type of the number, see [type_descriptors]. `f64` by
#'   default, or `i32` if `bounds` are integers.
#' @param tolerance (`numeric(1)`) Relative distance from the best number that ends the search. With
#'   0, the search goes on to the last double. The default is 0, or `2^-20` with `times`, whose
#'   steps take longer. The result is within the target for every tolerance.
#' @returns (`dp_calibrated`) A list that prints the number, the target, and the unused part of it:
#' * `value`: the number, and `object`: the result of `make()` for it,
#' * `side`: `"least"` or `"largest"`,
#' * `target`: a data frame with a row for each part of the target. Its columns are `part`,
#'   `allowed`, `reached` and `slack`, which is `1 - reached / allowed`, or 0 if nothing is allowed.
#'   [as.data.frame()] adds `value` and `side` to it.
#' @section Errors: Raises `dp_error_search` if no number is within the target, if all are, or if
#'   the loss does not change in one direction: the search also tries numbers on both sides of its
#'   result. Raises `dp_error_invalid_argument` for invalid arguments, and for a plan without a
#'   known accuracy. If every call of `make()` fails, its first error is raised.
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

# Rho cannot be compared with epsilon.
check_target_of <- function(object, target, times, call) {
  named <- names_of(target)[[1]]
  measure <- if (inherits(object, "measurement")) toString(object("output_measure")) else ""
  counted <- if (!is.null(times) || grepl("MaxDivergence", measure, fixed = TRUE)) {
    "epsilon"
  } else if (grepl("ZeroConcentratedDivergence", measure, fixed = TRUE)) {
    "rho"
  }
  if (nzchar(named) && !is.null(counted) && named != counted) {
    stop_argument(
      paste("in", counted, "like the loss of the object that `make` returns"),
      paste("in", named), "d_out", call
    )
  }
}

# A judge maps the object made to list(part = c(reached, allowed)).
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
      stop_argument("a loss of the kind that `make` returns", "a different kind", "d_out", call)
    }
    parts <- if (length(loss) == 2) c("loss", "delta") else "loss"
    stats::setNames(Map(c, loss, target), parts)
  }
}

# Largest distance from the value without noise, in all but a share `alpha` of releases.
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

# Whether a step that adds noise takes floating-point numbers.
adds_to_floats <- function(node) {
  input <- if (is.null(node$input)) node$args$input_domain else node$input("output_domain")
  grepl("f(32|64)", domain_carrier_type(input))
}

# The search of calibrate() over numbers above 0 ---------------------------------------------------

# A plan can fail at some of them.

# search_grid() with bounds, and with the number of binary digits that the tolerance needs.
calibration_grid <- function(bounds, .T, tolerance, call) {
  bounds <- check_search_bounds(bounds, call)
  if (is.null(.T)) .T <- if (is.integer(bounds[[1]])) "i32" else "f64"
  type <- search_type(NULL, bounds, .T, call)
  grid <- search_grid(type)
  grid$bounds <- lapply(bounds, on_grid, grid = grid)
  if (tolerance > 0 && type == "f64") {
    bits <- ceiling(-log2(tolerance)) + 1
    grid$round <- function(x) {
      unit <- 2^(floor(log2(abs(x))) + 1 - bits)
      ifelse(x == 0, 0, round(x / unit) * unit)
    }
  }
  grid
}

# The number at the boundary, on the side within the target: list(value, sign, object).
find_calibrated <- function(make, judge, grid) {
  tried <- new.env()
  tried$x <- numeric()
  tried$within <- logical()
  # Warnings about a plan that is only tried do not matter.
  attempt <- function(x) suppressWarnings(make(grid$to_r(x)), classes = "dp_warning")
  holds <- function(x) {
    within <- tryCatch(is_within_target(judge(attempt(x))), dp_error = function(error) {
      is_of_call <- isTRUE(error$argument %in% c("make", "d_in", "d_out", "alpha"))
      if (is_of_call && inherits(error, "dp_error_invalid_argument")) raise_again(error)
      tried$error <- tried$error %||% error
      NA
    })
    tried$x <- c(tried$x, x)
    tried$within <- c(tried$within, within)
    isTRUE(within)
  }
  band <- positive_band(holds, grid)
  if (is.null(band)) stop_uncalibrated(tried)
  found <- bisect(holds, band, grid)
  for (x in beyond(found$value, grid)) holds(x)
  check_one_boundary(found, tried)
  found$value <- grid$to_r(found$value)
  c(found, list(object = make(found$value)))
}

is_within_target <- function(parts) {
  all(vapply(parts, function(part) part[[1]] <= part[[2]], NA))
}

# Two numbers above 0 with different answers: the bounds, or 1 and numbers at growing distances from
# it, in both directions. `NULL` if there are none.
positive_band <- function(holds, grid) {
  lower <- grid$bounds[[1]]
  upper <- grid$bounds[[2]]
  if (!is.null(lower) && !is.null(upper)) {
    return(if (holds(lower) != holds(upper)) c(lower, upper))
  }
  origin <- lower %||% upper %||% 1
  first <- holds(origin)
  ends <- list(above = origin, below = origin)
  for (factor in 2^(2^(0:9))) {
    far <- c(if (is.null(upper)) origin * factor, if (is.null(lower)) origin / factor)
    for (x in unique(far[is_on_grid(far, grid)])) {
      side <- if (x > origin) "above" else "below"
      if (holds(x) != first) return(sort(c(ends[[side]], x)))
      ends[[side]] <- x
    }
  }
  NULL
}

is_on_grid <- function(x, grid) {
  is_whole <- is.infinite(grid$upper) | x == trunc(x)
  is.finite(x) & x > 0 & x >= grid$lower & x <= grid$upper & is_whole
}

# Numbers on both sides of the result.
beyond <- function(value, grid) {
  x <- grid$round(value * c(1 / 16, 2 / 3, 15 / 16, 17 / 16, 1.5, 16))
  if (is.finite(grid$upper)) x <- round(x)
  bounds <- grid$bounds
  inside <- x >= bounds[[1]] %||% 0 & x <= bounds[[2]] %||% Inf
  setdiff(x[inside & is_on_grid(x, grid)], value)
}

# Numbers that failed, or could not be judged, do not show a direction.
check_one_boundary <- function(found, tried) {
  known <- !is.na(tried$within)
  within <- tried$x[known & tried$within %in% TRUE]
  outside <- tried$x[known & tried$within %in% FALSE]
  one <- if (found$sign > 0) all(outer(outside, within, `<`)) else all(outer(outside, within, `>`))
  if (!one) {
    stop_search(paste(
      "the loss of the object that `make` returns does not change in one direction:",
      "give `bounds` within which it does."
    ))
  }
}

stop_uncalibrated <- function(tried) {
  if (all(is.na(tried$within)) && !is.null(tried$error)) raise_again(tried$error)
  if (any(tried$within %in% TRUE)) {
    stop_search("every number that was tried is within the target: there is no boundary.")
  }
  stop_search("no tried number is within the target.")
}

new_calibrated <- function(found, judge) {
  parts <- judge(found$object)
  reached <- vapply(parts, `[[`, 0, 1)
  allowed <- vapply(parts, `[[`, 0, 2)
  target <- data.frame(
    part = names(parts), allowed = allowed, reached = reached,
    slack = ifelse(allowed > 0, 1 - reached / allowed, 0), row.names = NULL
  )
  structure(
    list(
      value = found$value, object = found$object,
      side = if (found$sign > 0) "least" else "largest", target = target
    ),
    class = "dp_calibrated"
  )
}

#' @export
format.dp_calibrated <- function(x, ...) {
  target <- x$target
  c(
    paste("The", x$side, "number within the target:", format(x$value, digits = 15)),
    paste0(
      "  ", target$part, " ", show_loss(target$reached, 7), " of ",
      show_number(target$allowed, 7), " allowed, slack ", show_number(target$slack, 2)
    )
  )
}

#' @export
print.dp_calibrated <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

# nolint start: object_name_linter. The generic has these names.

#' @export
as.data.frame.dp_calibrated <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_names(..., ignored = of_data_frames)
  refuse_row_names(row.names)
  cbind(data.frame(value = x$value, side = x$side), x$target)
}

# nolint end
