# The table of a release: values, intervals and marks.

# One row per number, with groups first.
tidy_released <- function(keys, estimates, raw, dates) {
  parts <- lapply(seq_along(estimates), function(i) {
    values <- estimates[[i]]
    counts <- if (is.list(values)) lengths(values) else rep(1L, length(values))
    rows <- rep(seq_along(counts), counts)
    labels <- if (is.list(values)) {
      unlist(lapply(values, function(x) names(x) %||% as.character(seq_along(x))))
    }
    term <- rep(names(estimates)[[i]], length(rows))
    table <- list(
      term = if (is.null(labels)) term else paste0(term, "[", labels, "]", recycle0 = TRUE),
      column = term, group = rows, label = labels %||% rep("", length(rows)),
      estimate = numbers_in(values), std.error = numbers_in(raw$std_error[[i]]),
      conf.low = numbers_in(raw$lower[[i]]), conf.high = numbers_in(raw$upper[[i]]),
      mark = marks_in(raw$marks[[i]], length(rows), names(estimates)[[i]] %in% dates)
    )
    c(lapply(keys, function(key) key[rows]), table)
  })
  merged <- do.call(Map, c(list(function(...) c_columns(list(...))), parts))
  structure(merged, row.names = .set_row_names(length(merged$term)), class = "data.frame")
}

# Marks numbers that reach a bound of the values behind them. `limits` has a pair for each column,
# or NULL. A bound matters more than an unknown interval or a wide cell: then bounds must be wider.
marks_at_bounds <- function(tidy, limits) {
  # The interval of a selected candidate is unknown, or all of the bounds.
  selected <- tidy$mark %in% c("unknown", "cell")
  reach <- ifelse(selected, 0, reach_of_intervals(tidy))
  at_bound <- vapply(seq_along(reach), function(i) {
    limit <- limits[[tidy$column[[i]]]]
    !is.null(limit) && reaches_limits(tidy$estimate[[i]], reach[[i]], limit)
  }, NA)
  replace(tidy$mark, at_bound & tidy$mark %in% c("", "unknown", "cell"), "bound")
}

# Limits of means and quantiles: NULL for other columns. Values of two kinds, such as proportions,
# can legitimately be at a bound, so they have none.
limits_of_output <- function(output, query) {
  of <- aggregate_of(output, query)
  if (!isTRUE(of$fun %in% c("mean", "quantiles"))) {
    return(NULL)
  }
  parts <- tbl_data(query$table)
  declared <- if (identical(of$of$op, "column")) {
    declaration_behind(of$of$name, parts$steps, parts$domain)
  }
  ends <- of$bounds %||% c(declared$lower, declared$upper)
  whole <- !identical(declared$type, "real")
  if (of$fun == "quantiles") {
    limits_of_quantiles(of, ends, whole)
  } else if (is_pair_of_bounds(ends, whole) && !identical(declared$type, "date")) {
    ends
  }
}

is_pair_of_bounds <- function(ends, whole) {
  is.numeric(ends) && length(ends) == 2 && (!whole || diff(ends) > 1)
}

# By ranks: the outer candidates. By a tree: the inner ends of the outer cells, which also have all
# values beyond. A cell of whole numbers does not have its upper end (query/grids.h).
limits_of_quantiles <- function(of, ends, whole) {
  if (!is.null(ends) && !is_pair_of_bounds(ends, whole)) {
    return(NULL)
  }
  inside <- if (is.null(ends)) TRUE else of$grid >= ends[[1]] & of$grid <= ends[[2]]
  points <- if (is.null(of$grid)) ends else of$grid[inside]
  count <- length(points)
  if (count < 2) {
    return(NULL)
  }
  if (of$method %in% c("rank", "score") || whole) {
    points[c(1, count)]
  } else if (is.null(of$grid)) {
    ends + c(1, -1) * diff(ends) / cells_without_points
  } else {
    points[c(2, count - 1)]
  }
}

# Cells of a tree whose query gives no points (query/grids.h).
cells_without_points <- 1024

as_tibble_if_known <- function(table) {
  if (requireNamespace("tibble", quietly = TRUE)) tibble::as_tibble(table) else table
}

numbers_in <- function(x) as.double(unlist(x, use.names = FALSE))

# In the order of the core, from 0.
mark_names <- c("", "range", "wide", "empty", "unknown", "cell", "below")

# A date has no meaningful size to compare with its interval.
marks_in <- function(marks, size, are_dates) {
  marks <- mark_names[1 + if (is.null(marks)) rep(0, size) else numbers_in(marks)]
  replace(marks, are_dates & marks == "wide", "")
}
