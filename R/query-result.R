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
