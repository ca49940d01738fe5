# Results as tables of one form, whatever the statistic. Prints and pictures come from these tables.

#' Results as tables
#'
#' A result as a data frame with a row for each number that was released. See [dp_released] for
#' columns of queries, and [dp_released_batch] for batches.
#'
#' @param x A result of a statistic, a released query or a batch of them, or a statistic that has a
#'   result.
#' @param row.names Must be `NULL`: a column names the rows.
#' @param optional As for [as.data.frame()]. Ignored.
#' @param conf.int (`logical(1)`) Whether to include `conf.low` and `conf.high`.
#' @param conf.level (`numeric(1)`) Level of the intervals. `1 - alpha` of the release by default.
#'   You can choose another level only for the coefficients of a [dpLM()] or [dpGLM()].
#' @param exponentiate (`logical(1)`) Whether to return odds ratios, or ratios of rates: estimates
#'   and intervals of a [dpGLM()] with a logit or log link. Standard errors stay on the link scale.
#' @param ... Must be empty. For `as.data.frame()`, what [data.frame()] passes on is ignored.
#' @returns `as.data.frame()` and `tidy()` (of package generics): a data frame with these columns.
#'   `glance()`: a data frame of one row with `method`, `n`, `epsilon`, `delta`, `alpha`, `covers`
#'   and `notes`. With a loss in rho, `epsilon` is `NA` and there is a column `rho`.
#'
#' | column | content |
#' |---|---|
#' | `term` | variable, cell, entry or value |
#' | `estimate` | the number, `NA` if a value was released without a number |
#' | `std.error` | standard error of coefficients, or of the noise in leaves of a [dpTree()] |
#' | `conf.low`, `conf.high` | the interval |
#' | `noise.low`, `noise.high` | the interval for the data as used, beside one for the population |
#' | `sampling.low`, `sampling.high` | the `samplingInterval` of a [dpSampleAndAggregate()] |
#' | `mark` | why the number says little, or `""` |
#' | `covers` | target of `conf.low` and `conf.high`, such as "the population, moved into `rng`" |
#'
#'   A table without intervals or standard errors lacks these columns. In a [dpNaiveBayes()],
#'   `estimate` is a mean and `sd` the standard deviation. In a [dpKMeans()], it is a coordinate of
#'   a centre. Statistics that found their [bounds()] have no interval for the population, except
#'   quantiles.
#'
#'   `as.table()`: the `counts` of a [dpContingency()] as [table()] makes it, of class `table`.
#' @section Marks: The column `mark` has the names of released queries ([dp_released]). Prints show
#'   the first three as `*`, and the last as a note.
#'
#' | `mark` | meaning |
#' |---|---|
#' | `"range"` | the interval covers the declared range |
#' | `"below"` | noise has moved the interval to one end of the declared range, or beyond it |
#' | `"wide"` | half of the interval is at least the number |
#' | `"bound"` | a mean or quantile reaches a bound of `rng` or `outputRange`: see below |
#'
#'   At a bound, many values may lie beyond it. To include them, widen the range.
#' @section Errors: Of a statistic that has released nothing, and for another `margin`:
#'   `dp_error_invalid_argument`.
#' @examples
#' education <- dpHistogram(
#'   varType = "numeric", variable = "educ", n = 10000, rng = c(0, 16), nBins = 4, epsilon = 0.5
#' )
#' as.data.frame(education$release(PUMS5extract10000))
#' @name statistic_tables
NULL

# Generics' names have dots, and so their methods' have more.

# nolint start: object_name_linter.
#' @rdname statistic_tables
#' @export
as.data.frame.dp_result <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_names(..., ignored = of_data_frames)
  refuse_row_names(row.names)
  result_frame(x)
}

result_frame.dp_result <- function(x) result_rows(x)

# Targets of the intervals of a table.
with_target <- function(table, target) {
  if (!is.null(table$conf.low)) table$covers <- rep(target, nrow(table))
  table
}

result_rows.dp_result <- function(x) {
  table <- estimates_of(x)
  table$mark <- marks_of_rows(x, table)
  with_target(table, main_target(x))
}

estimates_of.dp_result <- function(x) {
  release <- x$release
  table <- if (is.numeric(release)) {
    data.frame(term = terms_of(x), estimate = as.double(release))
  } else {
    data.frame(term = as.character(release), estimate = rep(NA_real_, length(release)))
  }
  # Readers look for the interval for the population, if there is one.
  both <- !is.null(x$populationInterval)
  table <- with_ends(table, x$populationInterval, c("conf.low", "conf.high"))
  noise <- if (both) c("noise.low", "noise.high") else c("conf.low", "conf.high")
  table <- with_ends(table, x$interval, noise)
  with_ends(table, x$samplingInterval, c("sampling.low", "sampling.high"))
}

# The names of the numbers, or else of the variables, numbered if there are more numbers.
terms_of <- function(x) {
  variable <- if (is.null(x$variable)) "answer" else toString(x$variable)
  count <- length(x$release)
  names(x$release) %||% if (count > 1) paste0(variable, "[", seq_len(count), "]") else variable
}

# `interval` is a pair, or has a row for each row of the table.
with_ends <- function(table, interval, names) {
  if (!is.null(interval)) table[names] <- as.data.frame(matrix(interval, ncol = 2))
  table
}

#' @rdname statistic_tables
#' @export
as.data.frame.dpStatistic <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_names(..., ignored = of_data_frames)
  refuse_row_names(row.names)
  as.data.frame(result_of(x))
}

#' @rdname statistic_tables
#' @exportS3Method generics::glance
glance.dp_result <- function(x, ...) {
  check_names(...)
  result_facts(x)
}

result_facts.dp_result <- function(x) {
  about <- attr(x, "about")
  glance <- data.frame(
    method = about$name, n = about$n %||% NA_real_,
    epsilon = x$globalEps %||% x$epsilon %||% NA_real_, delta = x$delta %||% 0, alpha = about$alpha
  )
  if (!is.null(x$rho)) glance$rho <- x$rho
  glance$covers <- main_target(x) %||% NA_character_
  glance$notes <- in_one_note(reading_notes(x))
  glance
}

# Columns of glance(), without delta.
shown_loss <- function(glance, digits) {
  if (is.null(glance$rho)) {
    paste("epsilon", show_loss(glance$epsilon, digits))
  } else {
    paste("rho", show_loss(glance$rho, digits))
  }
}

#' @rdname statistic_tables
#' @exportS3Method generics::glance
glance.dpStatistic <- function(x, ...) {
  check_names(...)
  generics::glance(result_of(x))
}
# nolint end

# Estimates of a result, for tables ----------------------------------------------------------------

# nolint start: object_name_linter.
# Results of a statistic that have another form have a method beside it.
estimates_of <- function(x) UseMethod("estimates_of")
# nolint end
