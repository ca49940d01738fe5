#' Private aggregates
#'
#' Use these functions, and arithmetic of them, inside [summarise()][dp_verbs] of a [dp_tbl()]. The
#' session reads them as code. Elsewhere they raise an error.
#'
#' @param x A column, or an expression of columns, see [dp_expressions].
#' @param y A column, or an expression of columns: the other factor of a moment. `NULL` means none.
#' @param bounds (`numeric(2)`) Bounds that clamp `x` in this aggregate. `NULL` means the declared
#'   bounds. Required for a column without declared bounds. Public.
#' @param share (`numeric(1)`) Share of the privacy loss, relative to the other aggregates of the
#'   query. An aggregate with `share = 2` gets twice the loss of one with `share = 1`. Public.
#' @param scale,accuracy (`numeric(1)`) Noise scale or accuracy, in the unit of the released number,
#'   instead of `share`. The other aggregates share the rest of the loss. Public.
#' @param weights A column, or an expression of columns, such as survey weights. Its declared bounds
#'   must be at least 0, and clamp it. Rows with a missing weight do not count, unless you declare
#'   the weight with `missing = "midpoint"`. Constants are not valid.
#' @param weight Former name of `share`. A number warns, and a column raises an error.
#' @param breaks (`numeric`) Increasing edges of the histogram cells, at most a million. They can be
#'   outside the declared bounds. A cell includes its lower edge, and only the last cell includes
#'   its upper edge. Public.
#' @param .data (`dp_tbl`)
#' @param ... Named aggregates. Later ones can use earlier ones.
#' @param .by Columns to group by. The table must not be grouped.
#' @param .groups (`character(1)`) `"drop"` or `NULL`: released tables have no groups.
#' @returns `summarise()` returns a `dp_query` for [release()], [dp_preview()] and [dp_keys()].
#' @details
#' | aggregate | value in each group |
#' |---|---|
#' | `dp_count()` | number of rows |
#' | `dp_n_ids()` | number of people |
#' | `dp_n_missing(x)` | number of rows where `x` is missing |
#' | `dp_n_distinct(x)` | number of distinct values |
#' | `dp_sum(x)`, `dp_mean(x)` | sum and mean of the clamped values |
#' | `dp_var(x)`, `dp_sd(x)` | variance and standard deviation |
#' | `dp_moment(x, y)` | sum of products about the middles of the bounds |
#' | [`dp_quantile(x, probs)`][dp_quantile], [`dp_median(x)`][dp_median] | quantiles |
#' | `dp_histogram(x, breaks)` | number of rows in each cell |
#' | [dp_n_capped()], [dp_n_dropped(up_to = )][dp_n_dropped] | people and rows that a cap affects |
#'
#' Let `c` be the middle of the bounds of `x`. With `weights = w`, a count is the sum of `w`, and a
#' sum is the sum of `w * x`. A mean is `c` plus the sum of `w * (x - c)` divided by the sum of `w`.
#' Intervals cover the noise of both sums. They do not cover sampling error.
#'
#' `dp_moment(x)` is the sum of `x - c`, and `dp_moment(x, y)` the sum of `(x - c) * (y - d)`, with
#' `d` the middle of the bounds of `y`. Values are rounded to a grid of at least 2^25 steps in the
#' range, or to whole numbers. One row changes a moment by at most the half-width of `x` times the
#' half-width of `y`. Rows without a value of `x` or `y` do not count. With `weights = w`, a product
#' counts `w` times, and the largest change is multiplied by the upper bound of `w`.
#'
#' The mean of dates is a date. Their variance is in squared days, and they have
#' no sum. A mean of a column that is never missing uses the count of its group, so `dp_count()`
#' beside it costs nothing extra. Duplicate aggregates are measured once. [dp_truncate()] has the
#' sensitivities.
#' @section Errors: `dp_error_unsupported` outside `summarise()`, for functions that are not
#'   private, and for sums of dates. `dp_error_domain` for sums, means and variances of
#'   levels, texts or columns without bounds, and for weights without bounds or with a negative
#'   lower bound. `dp_error_invalid_argument` if a public argument
#'   names a column. For a variable with the name of a column, write `.env$name`.
#' @section Warnings: `dp_warning_deprecated` for a number in `weight`.
#' @template ref-mcsherry-2009
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' library(dplyr, warn.conflicts = FALSE)
#' people <- dp_tbl(dp_session(dp_zcdp(0.5)), PUMS5extract10000,
#'   unit = dp_unit(rows = 1),
#'   domain = dp_domain(age = dp_int(18, 93), educ = dp_int(1, 16), sex = dp_levels(0, 1))
#' )
#' people |>
#'   group_by(sex) |>
#'   summarise(n = dp_count(), age = dp_mean(age), years = n * age) |>
#'   release(rho = 0.05)
#' @name dp_aggregates
NULL

#' @rdname dp_aggregates
#' @export
dp_count <- function(share = 1, scale = NULL, accuracy = NULL, weights = NULL, weight = NULL) {
  stop_outside("dp_count")
}

#' @rdname dp_aggregates
#' @export
dp_n_ids <- function(share = 1, scale = NULL, accuracy = NULL, weight = NULL) {
  stop_outside("dp_n_ids")
}

#' @rdname dp_aggregates
#' @export
dp_n_missing <- function(x, share = 1, scale = NULL, accuracy = NULL, weight = NULL) {
  stop_outside("dp_n_missing")
}

#' @rdname dp_aggregates
#' @export
dp_n_distinct <- function(x, share = 1, scale = NULL, accuracy = NULL, weight = NULL) {
  stop_outside("dp_n_distinct")
}

#' @rdname dp_aggregates
#' @export
dp_sum <- function(x, bounds = NULL, share = 1, scale = NULL, accuracy = NULL, weights = NULL,
                   weight = NULL) {
  stop_outside("dp_sum")
}

#' @rdname dp_aggregates
#' @export
dp_mean <- function(x, bounds = NULL, share = 1, scale = NULL, accuracy = NULL, weights = NULL,
                    weight = NULL) {
  stop_outside("dp_mean")
}

#' @rdname dp_aggregates
#' @export
dp_var <- function(x, bounds = NULL, share = 1, scale = NULL, accuracy = NULL, weight = NULL) {
  stop_outside("dp_var")
}

#' @rdname dp_aggregates
#' @export
dp_sd <- function(x, bounds = NULL, share = 1, scale = NULL, accuracy = NULL, weight = NULL) {
  stop_outside("dp_sd")
}

#' @rdname dp_aggregates
#' @export
dp_moment <- function(x, y = NULL, share = 1, scale = NULL, weights = NULL) {
  stop_outside("dp_moment")
}

#' @rdname dp_aggregates
#' @export
dp_histogram <- function(x, breaks, share = 1, weight = NULL) stop_outside("dp_histogram")

stop_outside <- function(name) {
  stop_query("unsupported",
    paste0("`", name, "()` works only inside `summarise()` of a private table."),
    "Make a private table of a data frame with `dp_tbl()`.",
    sys.call(-1)
  )
}
