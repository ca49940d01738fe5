# Marks of numbers that say little, with the names of released queries (query/estimates.h).

# The column `mark` of a result's table:
# * "range": the interval is as long as `about$span`, the range of all possible numbers.
# * "wide": half of the interval is at least the number, and not negligible in the range.
# * "below": noise has moved the interval to one end of the range, or beyond it.
# * "bound": a mean or a quantile reaches a bound of the values behind it.
# Other rows have "".
marks_of_rows <- function(x, table = estimates_of(x)) {
  about <- attr(x, "about")
  half <- half_intervals(table, about$alpha)
  # A result without a found bound is one row without a number.
  span <- rep_len(about$span %||% NA_real_, nrow(table))
  is_all <- 2 * half >= span * (1 - 1e-9)
  trifle <- max(span * 1e-6, 0, na.rm = TRUE)
  is_long <- half > 0 & half >= abs(table$estimate) & half >= trifle
  is_at_end <- half == 0 & !isTRUE(all(x$accuracy <= trifle))
  marks <- ifelse(is_all %in% TRUE, "range", ifelse(is_long, "wide", ""))
  # Leaves of trees keep their noise, so their counts can be below 0.
  is_below <- !is.null(x$tree) & table$estimate + half < 0
  marks <- replace(marks, (is_at_end | is_below) %in% TRUE, "below")
  marks <- replace(marks, is.na(marks) | is.na(table$estimate), "")
  replace(marks, are_at_bounds(x, table) & marks == "", "bound")
}

# Whether noise cannot tell numbers from a bound of the values behind them. `about$limits` has a row
# for each number, or one for all. The accuracy of quantiles is in rows: they have only an interval
# for the population, if any.
are_at_bounds <- function(x, table) {
  about <- attr(x, "about")
  if (is.null(about$limits) || isTRUE(about$noise_dominates)) {
    return(rep(FALSE, nrow(table)))
  }
  count <- nrow(table)
  reach <- if (about$limits_by_accuracy) {
    rep_len(as.double(x$accuracy), count)
  } else if (is.null(table$conf.high)) {
    rep(0, count)
  } else {
    reach_of_intervals(table)
  }
  limits <- about$limits[rep_len(seq_len(nrow(about$limits)), count), , drop = FALSE]
  vapply(seq_len(count), function(i) {
    reaches_limits(table$estimate[[i]], reach[[i]], limits[i, ])
  }, NA)
}

# Leaves of trees have the standard error of their noise instead of an interval.
half_intervals <- function(table, alpha) {
  if (!is.null(table$conf.low)) {
    (table$conf.high - table$conf.low) / 2
  } else if (!is.null(table$std.error)) {
    two_sided_quantile(alpha) * table$std.error
  } else {
    rep(NA_real_, nrow(table))
  }
}

# A print shows a sign instead of the name. A note below explains the mark of a bound.
with_signs <- function(table) {
  noise_dominates <- is_dominated(table$mark)
  table$mark <- if (any(noise_dominates)) ifelse(noise_dominates, "*", "")
  table
}

is_dominated <- function(marks) mark_signs[marks] %in% "*"

# Marks for a picture whose table has the rows of the result.
with_marked_rows <- function(shown, x) {
  table <- result_rows(x)
  marked <- is_dominated(table$mark)
  if (any(marked) && identical(as.character(shown$table$term), as.character(table$term))) {
    shown$marked <- marked
  }
  shown
}

# Meaning of the sign, if a row has it. A single number has no sign in print.
note_of_marks <- function(x) {
  table <- result_rows(x)
  if (!any(is_dominated(table$mark)) || is_dominated_number(x, table)) {
    return(NULL)
  }
  what <- if (isTRUE(is_for_rows(main_target(x) %||% target_of$rows))) "mostly noise" else
    "uncertain"
  paste0(
    if (has_table(x, table)) "*: ", what,
    ": the interval covers the declared range, is outside of it, or half of it is at least ",
    "the number"
  )
}

is_dominated_number <- function(x, table) {
  isTRUE(attr(x, "about")$noise_dominates) && !has_table(x, table)
}

# Whether a print shows a row for each number.
has_table <- function(x, table) nrow(table) != 1 || !is_listed(x$release)

# For a trimmed mean, whose noise is private, and for coefficients without errors.
note_of_no_interval <- function(x) {
  table <- result_rows(x)
  has_numbers <- any(is.finite(table$estimate)) && is.numeric(x$accuracy) && all(is.na(x$accuracy))
  if (has_numbers && all(is.na(half_intervals(table, attr(x, "about")$alpha)))) {
    "no interval is known: the noise in a release depends on the data"
  }
}
