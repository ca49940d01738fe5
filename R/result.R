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
