#' Find the boundary of a predicate
#'
#' Finds the number closest to the boundary of a predicate, on the side where it passes: exactly for
#' integers, to the last double for floats. A predicate is a function of one number that is `TRUE`
#' on one side of a boundary and `FALSE` on the other. Use it to find the smallest noise that keeps
#' a privacy promise, or the largest distance that a measurement still protects.
#'
#' * `binary_search()` searches a predicate.
#' * `binary_search_param()` searches the parameter that makes a chain pass
#'   `chain(d_in = d_in, d_out = d_out)`.
#' * `binary_search_chain()` returns the chain with that parameter.
#'
#' @param predicate (`function`) Function of one number that returns `TRUE` or `FALSE`, and changes
#'   its answer once.
#' @param make_chain (`function`) Function of one number that returns a transformation or a
#'   measurement.
#' @param d_in (distance) Input distance, in the unit of the chain's input metric.
#' @param d_out (distance or loss) Output distance, in the unit of the chain's output metric or
#'   measure.
#' @param bounds (`NULL`, two numbers or `list`) Interval to search: `NULL` for everywhere, or
#'   `list(lower, NULL)` or `list(NULL, upper)` for one bound. Public.
#' @param .T (`runtime_type` or `character(1)`) Type of the number: `"int"`, `"float"`, or a
#'   descriptor, see [type_descriptors]. The default is the type of `bounds`, or the type that the
#'   predicate accepts.
#' @param return_sign (`logical(1)`) Whether to return the side on which the predicate passes.
#' @returns
#' * `binary_search()` and `binary_search_param()` return `integer(1)` or `numeric(1)`, by type.
#'   With `return_sign`, a second element is 1 if larger numbers pass and -1 if smaller ones do.
#' * `binary_search_chain()` returns the result of `make_chain()`.
#' @section Bands: Without two bounds, the search first moves away from the given bound, or from
#'   zero, upward and then downward, in growing steps. Floats grow by 0.5 and by 2^(k^2) for k from
#'   0 to 7 (to 3 for `f32`). Integers grow by powers of 16 up to the end of the type. If a
#'   predicate without bounds raises an error, the search stays within the numbers without an
#'   error. Integers of 64 bits and more are searched up to 2^53.
#' @section Errors:
#' * `dp_error_search`: no boundary was found.
#' * `dp_error_type`: `.T` is not a numeric type, or cannot be inferred.
#' * `dp_error_invalid_argument`: an argument is not valid, or the predicate returns anything except
#'   `TRUE` or `FALSE`.
#'
#' With bounds, errors of the predicate are passed on.
#' @examples
#' binary_search(function(x) x > 5L, .T = "int")
#' binary_search(function(x) x^2 <= 2, bounds = c(0, 2))
#' binary_search(function(x) x <= -5L, bounds = list(NULL, -1L), return_sign = TRUE)
#'
#' # The largest scale whose noise stays within 10 in 95 of 100 cases:
#' binary_search(function(s) laplacian_scale_to_accuracy(s, 0.05) <= 10, bounds = c(0, 100))
#'
#' # The smallest scale with a loss of at most 0.5 when a number changes by 1, and the measurement:
#' enable_features("contrib")
#' number <- c(atom_domain(.T = "i32"), absolute_distance(.T = "i32"))
#' noisy <- function(scale) number |> then_laplace(scale)
#' binary_search_param(noisy, d_in = 1L, d_out = 0.5)
#' binary_search_chain(noisy, d_in = 1L, d_out = 0.5)(d_in = 1L)
#' @export
binary_search <- function(predicate, bounds = NULL, .T = NULL, return_sign = FALSE) {
  check_function(predicate)
  check_flag(return_sign)
  bounds <- check_search_bounds(bounds)
  grid <- search_grid(search_type(predicate, bounds, .T))
  bounds <- lapply(bounds, on_grid, grid = grid)
  holds <- function(x) {
    answer <- predicate(grid$to_r(x))
    if (!is_flag(answer)) {
      stop_dp(
        "`predicate` must return TRUE or FALSE, not {describe(answer)}.", "invalid_argument",
        argument = "predicate", call = NULL
      )
    }
    answer
  }
  found <- bisect(holds, find_band(holds, bounds, grid), grid)
  value <- grid$to_r(found$value)
  if (!return_sign) {
    return(value)
  }
  c(value, if (is.integer(value)) as.integer(found$sign) else found$sign)
}

#' @rdname binary_search
#' @export
binary_search_param <- function(make_chain, d_in, d_out, bounds = NULL, .T = NULL) {
  check_function(make_chain)
  passes <- function(param) make_chain(param)(d_in = d_in, d_out = d_out)
  binary_search(passes, bounds = bounds, .T = .T)
}

#' @rdname binary_search
#' @export
binary_search_chain <- function(make_chain, d_in, d_out, bounds = NULL, .T = NULL) {
  make_chain(binary_search_param(make_chain, d_in, d_out, bounds = bounds, .T = .T))
}

# `list(lower, upper)`. `NULL` is a side without a bound.
check_search_bounds <- function(bounds, call = rlang::caller_env()) {
  if (is.null(bounds)) {
    return(list(NULL, NULL))
  }
  if (length(bounds) != 2) {
    stop_dp(
      paste(
        "bounds must contain exactly two elements;",
        "use list(lower, NULL) or list(NULL, upper) for a one-sided search"
      ),
      "invalid_argument",
      argument = "bounds", call = call
    )
  }
  bounds <- if (is.object(bounds)) list(bounds) else as.list(bounds)
  given <- Filter(Negate(is.null), bounds)
  if (!all(vapply(given, is.numeric, logical(1))) || length(unique(lapply(given, typeof))) > 1) {
    stop_dp(
      "bounds must be either float or int", "invalid_argument",
      argument = "bounds", call = call
    )
  }
  lapply(bounds, check_number, null = TRUE, arg = "bounds", call = call)
}

search_type <- function(predicate, bounds, .T, call = rlang::caller_env()) {
  if (!is.null(.T)) {
    type <- rt_to_string(rt_parse(.T))
    if (!type %in% c(signed_types, unsigned_types, float_types)) {
      stop_no_match(type, call)
    }
    return(type)
  }
  bound <- c(bounds[[1]], bounds[[2]])
  if (!is.null(bound)) {
    return(if (is.integer(bound)) "i32" else "f64")
  }
  accepts <- function(x) {
    or_else(
      {
        predicate(x)
        TRUE
      },
      function(error) FALSE
    )
  }
  # Arguments that expect a count accept whole doubles, so zero alone does not show a float.
  if (accepts(0) && !refuses_fractions(predicate)) {
    return("f64")
  }
  if (!accepts(0L)) {
    stop_dp("unable to infer type `.T`; pass the type `.T` or bounds", "type", call = call)
  }
  "i32"
}

refuses_fractions <- function(predicate) {
  or_else(
    {
      predicate(0.5)
      FALSE
    },
    function(error) inherits(error, c("dp_error_type", "dp_error_failed_cast"))
  )
}

stop_no_match <- function(type, call) {
  stop_dp("No match for concrete type {type}.", "type", call = call)
}

stop_search <- function(message, .envir = rlang::caller_env()) {
  stop_dp(message, "search", call = NULL, .envir = .envir)
}

# Finds an interval where a predicate changes, and halves it ---------------------------------------

# Two numbers with different answers of the predicate.
find_band <- function(holds, bounds, grid) {
  lower <- bounds[[1]]
  upper <- bounds[[2]]
  if (is.null(lower) && is.null(upper)) {
    return(find_band_anywhere(holds, grid))
  }
  if (is.null(upper)) {
    return(walk(holds, lower, 1, grid) %||% stop_search(paste(
      "the decision boundary is below the lower bound",
      "or the predicate does not change above it"
    )))
  }
  if (is.null(lower)) {
    return(walk(holds, upper, -1, grid) %||% stop_search(paste(
      "the decision boundary is above the upper bound",
      "or the predicate does not change below it"
    )))
  }
  if (holds(lower) == holds(upper)) {
    stop_search("the decision boundary of the predicate is outside the bounds")
  }
  c(lower, upper)
}

find_band_anywhere <- function(holds, grid) {
  first_error <- NULL
  attempt <- function(x) {
    or_else(holds(x), function(error) {
      first_error <<- first_error %||% conditionMessage(error)
      NA
    })
  }
  works <- function(x) !is.na(attempt(x))
  origin <- 0
  signs <- c(1, -1)
  if (!works(origin)) {
    edge_band <- walk(works, origin, 1, grid) %||% walk(works, origin, -1, grid) %||%
      stop_search("Predicate always fails. Example error at 0: {first_error}")
    edge <- bisect(works, edge_band, grid)
    origin <- edge$value
    signs <- edge$sign
  }
  for (sign in signs) {
    band <- walk(attempt, origin, sign, grid)
    if (!is.null(band)) {
      return(band)
    }
  }
  stop_search("unable to infer bounds")
}

# Walks from `origin`, where the predicate answers, in growing steps until the answer changes. If
# there is no answer (`NA`), it returns to the last number that has one.
walk <- function(answer, origin, sign, grid) {
  first <- answer(origin)
  near <- origin
  for (far in grid$round(origin + sign * grid$steps(origin, sign))) {
    there <- answer(far)
    has_answer <- !is.na(there)
    if (!has_answer) {
      far <- bisect(function(x) !is.na(answer(x)), c(near, far), grid)$value
      there <- answer(far)
    }
    if (there != first) {
      return(sort(c(near, far)))
    }
    if (!has_answer) {
      return(NULL)
    }
    near <- far
  }
  NULL
}

# Halves a band until its ends are neighbours. `sign` is 1 if the upper end passes, else -1.
bisect <- function(holds, band, grid) {
  lower <- min(band)
  upper <- max(band)
  lower_holds <- holds(lower)
  repeat {
    middle <- grid$round(grid$midpoint(lower, upper))
    if (middle <= lower || middle >= upper) {
      break
    }
    if (holds(middle) == lower_holds) lower <- middle else upper <- middle
  }
  if (lower_holds) list(value = lower, sign = -1) else list(value = upper, sign = 1)
}

# Numbers of a type --------------------------------------------------------------------------------

# The numbers of a type, as doubles, that the search moves between.
#   round     the number of the type nearest to a double
#   to_r      the argument of the predicate
#   lower, upper  the ends of the type
#   steps     how far to walk from `origin`, in the direction of `sign`
search_grid <- function(type) {
  if (type %in% float_types) float_grid(type) else integer_grid(type)
}

float_grid <- function(type) {
  single <- type == "f32"
  list(
    round = if (single) nearest_f32 else identity,
    to_r = identity,
    lower = -Inf,
    upper = Inf,
    steps = function(origin, sign) c(0.5, 2^((0:if (single) 3 else 7)^2)),
    midpoint = function(lower, upper) {
      if (sign(lower) * sign(upper) < 0) lower / 2 + upper / 2 else lower + (upper - lower) / 2
    }
  )
}

integer_grid <- function(type) {
  bits <- if (type == "usize") 64 else as.numeric(substring(type, 2))
  signed <- type %in% signed_types
  # Up to 2^53, doubles hold all whole numbers.
  reach <- min(2^(bits - signed), 2^53)
  lower <- if (signed) -reach else 0
  upper <- if (reach < 2^53) reach - 1 else reach
  list(
    round = identity,
    to_r = function(x) if (abs(x) <= .Machine$integer.max) as.integer(x) else x,
    lower = lower,
    upper = upper,
    steps = function(origin, sign) {
      room <- if (sign > 0) upper - origin else origin - lower
      powers <- 16^(0:14)
      c(powers[powers < room], if (room > 0) room)
    },
    midpoint = function(lower, upper) {
      if (lower < 0 && upper >= 0) trunc((lower + upper) / 2) else lower + (upper - lower) %/% 2
    }
  )
}

# Rounds a double to the nearest 32-bit float.
nearest_f32 <- function(x) readBin(writeBin(x, raw(), size = 4L), "double", length(x), size = 4L)

on_grid <- function(bound, grid) {
  if (is.null(bound)) {
    return(NULL)
  }
  if (is.finite(grid$upper)) {
    check_whole(bound, grid$lower, grid$upper, arg = "bounds", call = NULL)
  }
  check_number(grid$round(as.double(bound)), arg = "bounds", call = NULL)
}
