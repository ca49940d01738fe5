# Kinds of arguments of statistics about orders of magnitude.

kinds_of_magnitudes <- list(
  base = real_number(above = 1), smallest = real_number(above = 0),
  largest = real_number(above = 0, max = 2^52), sides = one_of(c("both", "positive", "negative")),
  beta = share()
)

#' Differentially private bounds of a column
#'
#' Plans releases of bounds for a column whose range you do not know. The plan measures noisy counts
#' of rows by order of magnitude, and finds how far the rows reach, up to a power of `base`.
#' Building the plan checks the arguments and reads no data. Each call of `release()` spends
#' `epsilon`.
#'
#' If you can declare bounds, that is usually better, even if they are three times too wide. Finding
#' bounds spends budget and cuts off up to `threshold` rows at either end. Noise grows with the
#' width of declared bounds, which a larger `epsilon` offsets. No `epsilon` recovers values that are
#' cut off, see [clippingBias()]. Use this function if you know nothing about the range, with about
#' a quarter of the budget.
#'
#' The number of rows `n` is public, and two datasets are neighbours if one row of one is replaced
#' in the other. Rows without a value are not counted.
#'
#' @inheritParams dpMean
#' @param mechanism (`character(1)`) `"mechanismLaplace"`, in any letter case.
#' @param varType (`character(1)`) `"numeric"` or `"integer"`, see `conversion`.
#' @param base (`numeric(1)`) Ratio between the far ends of neighbouring cells, above 1.
#' @param smallest (`numeric(1)`) Smallest magnitude to resolve, in the unit of the column, above 0.
#'   Values nearer to 0 share one cell.
#' @param largest (`numeric(1)`) Largest magnitude to resolve, up to 2^52. Values farther from 0
#'   count in the last cell.
#' @param sides (`character(1)`) `"both"`, or `"positive"` or `"negative"` if the column has only
#'   such values. One side halves the number of cells and lowers the threshold. Values of the other
#'   sign count in the cell at 0.
#' @param beta (`numeric(1)`) Probability that noise lifts any empty cell above the threshold, which
#'   makes a bound far too wide.
#' @param ... Not used: an argument with another name raises an error.
#' @returns An R6 object of class `dpBounds`, with the methods and fields of [dpMean()] and the
#'   fields `base`, `smallest`, `largest`, `sides`, `beta`, `cells` (a data frame with the ends of
#'   all cells) and `threshold` (in rows). `sens` is the sensitivity of the counts, 2. `result` is a
#'   [dp_result] with `release` (the numbers `lower` and `upper`), `counts`, `threshold`, `status`,
#'   `variable`, `accuracy` and `epsilon`. `counts` is a data frame with the ends and noisy counts
#'   of the cells above the threshold. `status` is `"ok"`, or `"not found"` if no cell is above it:
#'   then the bounds are `NA`, and the budget is spent. With probability `1 - alpha` every cell
#'   below the threshold has at most `accuracy` rows.
#' @section How it works: The cells are `[smallest base^j, smallest base^(j+1))` for j = 0, 1, ...
#'   up to `largest`, their mirror images below 0, and one cell between. Each row counts in one
#'   cell, so one replaced row moves two counts by one. The counts have discrete Laplace noise of
#'   scale 2 / epsilon. A cell is found if its noisy count is above
#'   threshold = 2 / epsilon times log(K / (2 beta)), with K cells in all. The bounds are the ends
#'   of the outermost cells found. accuracy = threshold + 2 / epsilon times log(K / alpha).
#' @section Errors: See [statistic_errors].
#' @section Warnings: `dp_warning_large_epsilon`, `dp_warning_noise` (no cell is large enough to be
#'   found reliably).
#' @references Wilson, Zhang, Lam, Desfontaines, Simmons-Marengo and Gipson (2020), *Differentially
#'   Private SQL with Bounded User Contribution*, for the cells.
#' @seealso [bounds()] for a statistic that finds its bounds within one loss, [clippingBias()] for
#'   the values that bounds cut off, on public data.
#' @examples
#' reach <- dpBounds(
#'   varType = "numeric", variable = "income", n = 10000, epsilon = 0.25, smallest = 1,
#'   sides = "positive"
#' )
#' reach$threshold
#' found <- reach$release(PUMS5extract10000)
#' found$release
#' @export
dpBounds <- new_statistic("dpBounds", "Bounds of a column", "bounds of a column",
  arguments = function(mechanism = "mechanismLaplace", varType = "numeric", variable, n, epsilon,
                       alpha = 0.05, base = 2, smallest = 2^-10, largest = 2^40, sides = "both",
                       beta = 1e-4, n_check = "error") {
  },
  required = c("variable", "n", "epsilon"),
  takes = c(
    list(varType = variable_type(c("numeric", "integer")), epsilon = loss_of_release()),
    kinds_of_magnitudes
  ),
  plan = function(...) plan_bounds(...),
  fields = c(
    common_fields, "base", "smallest", "largest", "sides", "beta", "cells", "threshold"
  ),
  numbers = "n"
)

# Plan and result of dpBounds() --------------------------------------------------------------------

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
