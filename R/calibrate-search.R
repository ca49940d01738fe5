# The search of calibrate() over numbers above 0. A plan can fail at some of them.

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
