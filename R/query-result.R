#' Released queries
#'
#' [release()] of a query returns a tibble: groups, and an estimate for each aggregate. The tibble
#' also has public facts about the noise. `print()`, `tidy()`, `summary()`, `plot()` and documents
#' of package knitr show them. `rename()` keeps them, under the new names. Other verbs, such as
#' `filter()`, and assignments to columns return an ordinary tibble without them.
#'
#' [summary()][statistic_models] of a released query prints the loss, the unit, the caps, the plan
#' and the noise. [print()][dp_result] takes `digits = "noise"`, which rounds each number to the
#' first digit of half its interval.
#'
#' @section Methods of all results: [tidy()][statistic_tables] returns a data frame with a row for
#'   each number: the groups, `term`, `estimate`, `std.error`, `conf.low`, `conf.high`, `mark` and
#'   `covers`. `term` is the column, with the probability or the cell if there are several numbers.
#'   Dates are days since 1970-01-01. [confint()][statistic_models] returns a matrix with a
#'   row for each number and columns for the ends of its interval, or `NA` without one. `parm` has
#'   the names of result columns. [as.data.frame()][statistic_tables] returns a plain data frame.
#'   A column with several numbers for each group becomes one column for each number, for example
#'   `q[0.25]`. [plot() and autoplot()][statistic_plots] draw one column, `what`.
#' @section Files: `write.csv(x)` writes the columns of `x`. A field with several numbers is
#'   `0.25=28 | 0.75=47`. `write.csv(as.data.frame(x))` writes a column for each number. Both files
#'   can be checked with [verify_release()]. `write.csv(generics::tidy(x))` keeps the intervals and
#'   the marks as well.
#' @section Intervals: With probability `1 - alpha`, an interval covers the exact result of the
#'   query, after clamping and truncation. It covers neither sampling error nor rows that a cap
#'   dropped: the footer of `print()` has the rule of each cap. The column `covers` of `tidy()`
#'   names this target: `"the data as used"`, or `"the rows that caps keep"`.
#'
#' | column | interval |
#' |---|---|
#' | counts, sums, cells | exact quantile of the noise |
#' | sums and differences of these, with constant factors | quantile of all of their noise |
#' | means, and ratios of counts and sums | Fieller's interval |
#' | quantiles by `"tree"` | all values where the noise explains the rank of the estimate |
#' | these with constants, as `m - 50` | shifted and scaled |
#' | variances | all values of the three measured numbers, at `alpha / 3` each |
#' | other arithmetic of `k` columns | all values of the columns, at `alpha / k` each |
#' | quantiles by `"score"` | the declared range, or none if the query counts enough values |
#'
#'   A quantile by `"score"` is one of the candidates, even if no row has a value. To show that a
#'   group has enough values, the query needs `dp_mean()` of the column. If no value can be missing,
#'   such as after `filter(!is.na(x))`, `dp_count()` is enough. [dp_preview()] then shows the rank
#'   error.
#' @section Footer: `print()`, `summary()`, plots and documents state how rows were read: the rule
#'   of each cap, the bounds that clamp values and weights, and which columns are rounded. It also
#'   says which rows are left out of sums, means and shares, which are in no group or in group `NA`,
#'   and which groups are hidden. The footer depends only on the query, its declarations and the
#'   column types.
#' @section Marks: A marked number is mostly noise, or its interval reaches a bound. `print()` shows
#'   the mark, and `tidy()` returns its name.
#'
#' | mark | `tidy()` | meaning |
#' |---|---|---|
#' | `*` | `"range"` | the interval covers the declared range |
#' | `*` | `"below"` | the interval has no possible value, such as a count below 0 |
#' | `*` | `"wide"` | half of the interval is at least the number |
#' | `^` | `"bound"` | a mean or quantile at a bound, or in the outer cell: values can be beyond |
#' | `?` | `"empty"` | the group can be empty, or a divisor can be 0: there is no interval |
#' | `~` | `"unknown"` | no interval is known |
#' | `#` | `"cell"` | a quantile by `"score"` that represents a wide cell of values |
#' @section Errors: `dp_error_invalid_argument` for an invalid `what`, and for a plot of a result
#'   without groups.
#' @references Fieller (1954), "Some problems in interval estimation", Journal of the Royal
#'   Statistical Society B 16.
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' library(dplyr, warn.conflicts = FALSE)
#' people <- dp_tbl(dp_session(dp_epsilon(1)), PUMS5extract10000,
#'   unit = dp_unit(rows = 1), domain = dp_domain(educ = dp_int(1, 16))
#' )
#' released <- people |>
#'   count(educ) |>
#'   release(epsilon = 0.5)
#' summary(released)
#' plot(released)
#' @name dp_released
NULL

# Turns the raw result, list(keys, estimates, std_error, lower, upper, marks), into a data frame.
# Stored results of older versions have no marks.
new_released <- function(raw, prepared) {
  names(raw) <- c("keys", "estimates", "std_error", "lower", "upper", "marks")[seq_along(raw)]
  query <- prepared$query
  names <- vapply(query$outputs, `[[`, "", "name")
  if (!is.null(query$sorted_by)) raw <- sorted_release(raw, match(query$sorted_by, names))
  estimates <- Map(labelled_numbers, raw$estimates, lapply(query$outputs, number_labels, query))
  names(estimates) <- names
  dates <- names[vapply(query$outputs, is_a_date, NA, query)]
  estimates[dates] <- lapply(estimates[dates], as_dates)
  keys <- typed_keys(raw$keys, query)
  tidy <- tidy_released(keys, estimates, raw, dates)
  limits <- lapply(stats::setNames(query$outputs, names), limits_of_output, query)
  tidy$mark <- marks_at_bounds(tidy, limits)
  wide <- vapply(estimates, is.list, NA)
  columns <- c(keys, replace(estimates, wide, lapply(estimates[wide], new_values)))
  count <- length(columns[[1]])
  frame <- structure(columns, row.names = .set_row_names(count), class = "data.frame")
  about <- list(
    keys = names(keys), terms = names, tidy = tidy,
    loss = prepared$loss, plan = prepared$plan, unit = unit_of(query),
    preview = prepared$preview, events = prepared$events, alpha = prepared$alpha,
    shown_preview = named_as_released(prepared$preview, query),
    query = describe_query(query), dates = dates, caps = caps_of_query(query),
    notes = notes_of_query(query), share_of = share_of_query(query)
  )
  frame <- as_tibble_if_known(frame)
  structure(frame, released = about, class = c("dp_released", "dp_result", class(frame)))
}

# Sorts groups by one released number in decreasing order, for `count(sort = TRUE)`.
sorted_release <- function(raw, by) {
  places <- order(-raw$estimates[[by]])
  lapply(raw, lapply, function(values) values[places])
}

# The aggregate that a result column shows. NULL for a column computed from several aggregates.
aggregate_of <- function(output, query) {
  if (output$value$op == "column") query$aggregates[[output$value$name]]
}

# Whether the values of an aggregate are dates.
is_of_dates <- function(aggregate, fields) {
  is_date <- vapply(fields, function(field) field$type == "date", NA)
  !is.null(aggregate$of) && gives_dates(aggregate$of, names(fields)[is_date])
}

# Whether a result column has dates: a mean or quantiles of dates.
is_a_date <- function(output, query) {
  of <- aggregate_of(output, query)
  isTRUE(of$fun %in% c("mean", "quantiles")) && is_of_dates(of, fields_of(query$table))
}

as_dates <- function(days) {
  if (is.list(days)) lapply(days, as_dates) else as.Date(days, "1970-01-01")
}

# Labels for several numbers in one column: probabilities of quantiles, or edges of cells. They
# have no commas, because write.csv() does not quote them.
number_labels <- function(output, query) {
  of <- aggregate_of(output, query)
  if (identical(of$fun, "quantiles")) {
    show_number(of$probabilities, 7)
  } else if (identical(of$fun, "histogram")) {
    of_dates <- is_of_dates(of, fields_of(query$table))
    edges <- if (of_dates) format(as_dates(of$grid)) else show_number(of$grid, 7)
    paste0(edges[-length(edges)], " to ", edges[-1])
  }
}

labelled_numbers <- function(values, labels) {
  if (!is.list(values)) {
    return(values)
  }
  lapply(values, function(each) {
    if (length(each) == length(labels)) names(each) <- labels
    each
  })
}

# Converts keys to their declared types.
typed_keys <- function(keys, query) {
  fields <- fields_of(query$table)[query$by]
  typed <- Map(typed_key, keys, fields)
  stats::setNames(typed, query$by)
}

# Uses R integers if all numbers fit, and integer64 otherwise.
typed_key <- function(key, field) {
  if (!inherits(key, "integer64")) {
    # If missing values form a group, the core returns all keys as texts.
    whole <- isTRUE(field$whole) && is.character(key)
    return(if (field$type == "logical") as.logical(key) else if (whole) as.integer(key) else key)
  }
  numbers <- core_doubles_of_integer64(key)
  if (field$type == "date") {
    as.Date(numbers, "1970-01-01")
  } else if (all(is.na(numbers) | abs(numbers) <= .Machine$integer.max)) {
    as.integer(numbers)
  } else {
    key
  }
}

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
  parts <- parts_of(query$table)
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

c_columns <- function(columns) {
  if (is.factor(columns[[1]])) {
    levels <- levels(columns[[1]])
    return(factor(unlist(lapply(columns, as.character)), levels = levels))
  }
  do.call(c, columns)
}

# Public facts about a release. They do not describe a table whose rows or numbers changed, such as
# after rbind(), which keeps the class.
about_released <- function(x) {
  if (!is_as_released(x)) {
    stop_argument("a release as `release()` returned it", "one whose rows or numbers changed", "x",
      NULL
    )
  }
  attr(x, "released")
}

is_as_released <- function(x) {
  about <- attr(x, "released")
  columns <- unclass(x)
  first <- match(seq_along(columns[[1]]), about$tidy$group)
  has_key <- function(name) {
    identical(as.character(columns[[name]]), as.character(about$tidy[[name]][first]))
  }
  identical(names(columns), c(about$keys, about$terms)) &&
    identical(numbers_in(unname(columns[about$terms])), about$tidy$estimate) &&
    all(vapply(about$keys, has_key, NA))
}

# S3 method names contain dots.
# nolint start: object_name_linter.

# A verb returns a plain table, because its rows can differ.
#' @export
`[.dp_released` <- function(x, ...) unreleased(x)[...]

#' @exportS3Method dplyr::dplyr_reconstruct
dplyr_reconstruct.dp_released <- function(data, template) {
  dplyr::dplyr_reconstruct(data, unreleased(template))
}

result_rows.dp_released <- function(x) {
  table <- about_released(x)$tidy
  target <- interval_target(about_released(x))
  table$covers <- ifelse(is.na(table$conf.low), NA_character_, target)
  as_tibble_if_known(table[setdiff(names(table), c("column", "group", "label"))])
}

result_frame.dp_released <- function(x) {
  structure(flat_columns(x), row.names = .set_row_names(nrow(x)), class = "data.frame")
}

alpha_of.dp_released <- function(x) about_released(x)$alpha

result_intervals.dp_released <- function(x, parm, level, formula, call) {
  refuse_given(formula, "formula", call)
  about <- about_released(x)
  check_released_level(level, about$alpha, "level", call)
  tidy <- about$tidy
  chosen <- rows_of_terms(tidy, parm %||% about$terms, call)
  table <- matrix(c(tidy$conf.low, tidy$conf.high), ncol = 2,
    dimnames = list(names_of_numbers(tidy, about$keys), NULL)
  )
  list(table = table[chosen, , drop = FALSE], covers = interval_target(about))
}

result_facts.dp_released <- function(x) {
  about <- about_released(x)
  facts <- c(list(query = about$query), unclass(about$loss), list(
    unit = format(about$unit), groups = nrow(x), alpha = about$alpha, plan = about$plan,
    notes = in_one_note(c(about$caps, about$notes))
  ))
  as_tibble_if_known(structure(facts, row.names = 1L, class = "data.frame"))
}

# nolint end

# The target of the intervals. Caps restrict it to the rows that they keep.
interval_target <- function(about) {
  if (length(about$caps) > 0) target_of$capped else target_of$rows
}

# Rows of `tidy` for these result columns.
rows_of_terms <- function(tidy, parm, call) {
  if (!is.character(parm) || !all(parm %in% tidy$column)) {
    stop_argument("columns of released numbers", describe(parm), "parm", call)
  }
  which(tidy$column %in% parm)
}

# "n" without groups, or "n, region = east".
names_of_numbers <- function(tidy, keys) {
  groups <- Map(function(name, key) paste0(name, " = ", as.character(key)), keys, tidy[keys])
  do.call(paste, c(list(tidy$term), unname(groups), list(sep = ", ")))
}

unreleased <- function(x) {
  attr(x, "released") <- NULL
  class(x) <- setdiff(class(x), c("dp_released", "dp_result"))
  x
}
