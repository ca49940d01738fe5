# Plan and result of dpBounds().

plan_bounds <- function(args, call) {
  cells <- magnitude_cells(args, call)
  count <- nrow(cells)
  noise <- histogram_sensitivity / args$epsilon
  threshold <- magnitude_threshold(args$epsilon, count, args$beta)
  loss <- list(epsilon = args$epsilon, accuracy = threshold + noise * log(count / args$alpha))
  measurement <- with_features("contrib", {
    magnitude_chain(resized_rows(args$n), args$varType, cells, loss$epsilon)
  })
  name <- paste("bounds of", args$variable)
  fields <- statistic_fields(name, args, loss, histogram_sensitivity, measurement)
  own <- args[c("base", "smallest", "largest", "sides", "beta")]
  new_plan(c(fields, own, list(cells = cells, threshold = threshold)), bounds_result,
    class = "dp_bounds_result", within = "no cell that was not seen has more rows",
    range = args$n, call = call
  )
}

# Data frame with the ends of the cells, from the lowest to the highest.
magnitude_cells <- function(args, call) {
  if (args$largest <= args$smallest) {
    stop_argument("above `smallest`", name_public(args$largest), "largest", call)
  }
  steps <- ceiling(log(args$largest / args$smallest) / log(args$base) - 1e-9)
  if (steps > most_magnitudes) {
    stop_argument(paste("so large that there are at most", most_magnitudes, "cells on a side"),
      name_public(args$base), "base", call
    )
  }
  ends <- c(args$smallest * args$base^seq(0, steps - 1), args$largest)
  edges <- switch(args$sides,
    both = c(-rev(ends), ends), positive = c(0, ends), negative = c(-rev(ends), 0)
  )
  data.frame(lower = edges[-length(edges)], upper = edges[-1])
}

most_magnitudes <- 10000

# Counts the rows in each cell. `limit` goes to then_protect().
magnitude_chain <- function(rows, varType, cells, limit) {
  count <- nrow(cells)
  rows |>
    then_present_bin(varType, c(cells$lower[[1]], cells$upper[[count]]), cells$lower[-1]) |>
    then_count_by_categories(
      categories = as.double(seq_len(count) - 1), null_category = FALSE,
      .MO = metric_of_noise(limit), .TOA = "f64"
    ) |>
    then_protect(limit)
}

# Threshold that the noise in any of `count` empty cells exceeds with probability at most `beta`.
magnitude_threshold <- function(limit, count, beta) {
  if (is.list(limit)) {
    gaussian_sigma(l2_of_counts, limit) * stats::qnorm(beta / count, lower.tail = FALSE)
  } else {
    histogram_sensitivity / limit * log(count / (2 * beta))
  }
}

# Ends of the outermost `seen` cells, or NA if there are none.
outermost_seen <- function(cells, seen) {
  found <- any(seen)
  c(
    lower = if (found) min(cells$lower[seen]) else NA_real_,
    upper = if (found) max(cells$upper[seen]) else NA_real_
  )
}

bounds_result <- function(release, fields) {
  seen <- release > fields$threshold
  counts <- cbind(fields$cells, count = as.double(release))[seen, ]
  rownames(counts) <- NULL
  list(
    release = outermost_seen(fields$cells, seen), counts = counts, threshold = fields$threshold,
    status = if (any(seen)) "ok" else "not found", variable = fields$variable,
    accuracy = fields$accuracy, epsilon = fields$epsilon
  )
}

pictures.dp_bounds_result <- function(x) { # nolint: object_name_linter.
  list(counts = function() seen_bars(x))
}

seen_bars <- function(x) {
  counts <- x$counts
  noise <- laplaceGetAccuracy(histogram_sensitivity, x$epsilon, attr(x, "about")$alpha)
  ends <- lapply(counts[c("lower", "upper")], vapply, show_number, "", 4)
  table <- data.frame(
    term = sprintf("%s to %s", ends$lower, ends$upper), estimate = counts$count,
    conf.low = counts$count - noise, conf.high = counts$count + noise
  )
  list(kind = "bars", table = table, xlab = x$variable, ylab = "rows")
}
