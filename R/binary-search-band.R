# Finds an interval where a predicate changes, and halves it.

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
