# One class of results, `dp_result`, with one method for each verb. The kinds are results of
# statistics, released queries (`dp_released`, a data frame) and batches of these
# (`dp_released_batch`). A kind defines its content in methods of the generics below.

# A row for each number, with `covers`: what `tidy()` returns.
result_rows <- function(x) UseMethod("result_rows")

# The table that `as.data.frame()` returns.
result_frame <- function(x) UseMethod("result_frame")

# A row of public facts about the loss: what `glance()` returns.
result_facts <- function(x) UseMethod("result_facts")

# Intervals cover with probability 1 - alpha.
alpha_of <- function(x) UseMethod("alpha_of")

# list(table, covers): the ends of intervals in two columns, and their target.
result_intervals <- function(x, parm, level, formula, call) UseMethod("result_intervals")

# Functions by name. Each returns list(kind, table, title, xlab, ylab, note, ...).
pictures <- function(x) UseMethod("pictures")

# The results to show one after the other: the tables of a batch by name, or only `x`.
result_parts <- function(x) UseMethod("result_parts")

result_parts.dp_result <- function(x) list(x) # nolint: object_name_linter.

# Names of parts for a print: a vector for each, empty without a name.
titles_of <- function(parts) if (is.null(names(parts))) list(character()) else names(parts)

# Lines of a print. NULL means the usual number of `digits` and `rows`.
result_lines <- function(x, digits, rows) UseMethod("result_lines")

# list(tables, notes) for documents. `tables` are list(table, more, none) by title: a data frame of
# texts, the number of rows that it lacks, and a sentence for a table without rows.
result_texts <- function(x, what, digits, rows, call) UseMethod("result_texts")

# What `summary()` returns.
result_summary <- function(x, formula, level, call) UseMethod("result_summary")

# Whether it has the elements of a statistic's result.
is_of_statistic <- function(x) !is.null(attr(x, "about"))

result_of <- function(statistic) {
  statistic$result %||% stop_argument("a statistic with a release", "one without", "x", NULL)
}

# The sign of each mark of a number, see the column `mark` of `tidy()`.
mark_signs <- c(range = "*", wide = "*", below = "*", bound = "^", empty = "?", unknown = "~",
  cell = "#"
)

# One rule for all numbers that are limited to a range, such as means and quantiles: they are at a
# limit if they are within their `reach` of it. The values behind them can then be beyond it.
reaches_limits <- function(estimate, reach, limits) {
  isTRUE(estimate - reach <= limits[[1]]) || isTRUE(estimate + reach >= limits[[2]])
}

# Distance from a number to the farther end of its interval. 0 without an interval.
reach_of_intervals <- function(table) {
  reach <- pmax(table$conf.high - table$estimate, table$estimate - table$conf.low)
  replace(reach, is.na(reach), 0)
}

# Columns of a table -------------------------------------------------------------------------------

# Lists the columns of a table. A column with several numbers per row is split into several columns,
# with the names that `tidy()` gives them.
flat_columns <- function(x, is_element = is_number_or_date) {
  columns <- `attributes<-`(x, list(names = names(x)))
  wide <- vapply(columns, is_wide_column, NA, is_element)
  if (!any(wide)) {
    return(columns)
  }
  # Selects by position, because names can be missing or repeated.
  flat <- lapply(seq_along(columns), function(i) {
    if (wide[[i]]) wide_column(columns[[i]], names(columns)[[i]]) else columns[i]
  })
  unlist(flat, recursive = FALSE)
}

is_number_or_date <- function(x) is.numeric(x) || inherits(x, "Date")

is_wide_column <- function(x, is_element = is_number_or_date) {
  is.list(x) && !is.data.frame(x) && length(x) > 0 && all(vapply(x, is_element, NA)) &&
    length(unique(lengths(x))) == 1 && length(x[[1]]) > 0
}

wide_column <- function(x, name) {
  labels <- names(x[[1]]) %||% as.character(seq_along(x[[1]]))
  each <- lapply(seq_along(labels), function(i) {
    do.call(c, lapply(unname(unclass(x)), function(row) unname(row[i])))
  })
  stats::setNames(each, paste0(name, "[", labels, "]"))
}

# Formats numbers for print and messages -----------------------------------------------------------

# Formats each number separately, without an exponent up to a dozen digits, whatever the session's
# options are.
show_number <- function(x, digits) {
  x <- as.double(unname(x))
  ordinary <- is.finite(x) & (x == 0 | abs(x) >= 1e-4 & abs(x) < 1e11)
  shown <- character(length(x))
  shown[ordinary] <- show_ordinary(x[ordinary], digits)
  shown[!ordinary] <- vapply(x[!ordinary], show_extreme, "", digits = digits)
  shown
}

# Formats all numbers at once, because there can be a hundred thousand cell edges.
show_ordinary <- function(x, digits) {
  size <- ifelse(x == 0, 0, floor(log10(abs(x))))
  decimals <- as.integer(pmax(0, digits - 1 - size))
  shown <- sprintf("%.*f", decimals, x)
  shown[decimals > 0] <- sub("[.]?0+$", "", shown[decimals > 0])
  shown
}

show_extreme <- function(x, digits) {
  tiny <- is.finite(x) && abs(x) < 1e-4
  format(x, digits = digits, scientific = if (tiny) 0 else 7, decimal.mark = ".")
}

# Formats a loss, rounded up to a number of digits, so it is never shown as less than it is. The
# core rounds exact decimals up to doubles, so `x` represents any number above the next lower
# double: the double above 0.3 is shown as 0.3, and is not rounded up twice.
show_loss <- function(x, digits) {
  shown <- show_number(x, digits)
  low <- is.finite(x)
  low[low] <- as.double(shown[low]) < x[low] * (1 - .Machine$double.neg.eps)
  shown[low] <- show_number(x[low] + 10^(floor(log10(x[low])) + 1 - digits), digits)
  shown
}
