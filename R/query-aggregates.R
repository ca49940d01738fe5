#' Private aggregates
#'
#' What [summarise()][dp_verbs] of a private table may hold: these functions, and arithmetic of
#' them. They are read as code, and compute nothing by themselves; outside of `summarise()` of a
#' [dp_tbl()] they stop.
#'
#' @param x A column, or an expression of columns, see [dp_verbs].
#' @param bounds (`numeric(2)`) Clamps `x` for this aggregate; the declared bounds by default. A
#'   column without declared bounds needs them here. Public.
#' @param share (`numeric(1)`) Share of the privacy loss, relative to the other aggregates of the
#'   query: an aggregate with `share = 2` gets twice the loss of one with `share = 1`. Public.
#' @param scale,accuracy (`numeric(1)`) Instead of `share`: the noise scale, or the accuracy, in the
#'   unit of the released number. The others share the rest of the loss. Public.
#' @param probs (`numeric`) Probabilities of the quantiles, from 0 to 1. Public.
#' @param at (`numeric`) Values that a quantile may take, at most a million, increasing. For a
#'   column without bounds they are enough. By default they are all whole numbers within the bounds
#'   if there are few of them, and otherwise equally spaced values. With `method = "score"` also the
#'   numbers with two digits, in the eight decades below the largest magnitude. Public.
#' @param method (`character(1)`) Of quantiles: `"score"`, one after the other; `"tree"`, all from
#'   one tree of counts; `"auto"` takes the tree for three or more. By `"score"` each row counts at
#'   the value of `at` that is nearest to it, and that value stands for all ranks of its rows.
#' @param weights A column, or an expression of columns: each row counts as often as its weight
#'   says, such as the weights of a survey. Weights have declared bounds of at least 0. Rows without
#'   a weight do not count. Constants are not weights.
#' @param weight Former name of `share`. A number means `share` and warns. A column raises an error.
#' @param breaks (`numeric`) Edges of the cells of a histogram, at most a million, increasing,
#'   within the declared bounds, if there are any. Public.
#' @param .data (`dp_tbl`)
#' @param ... Aggregates by name. Those that come later may use earlier ones.
#' @param .by Columns to group by, of an ungrouped table.
#' @param .groups (`character(1)`) `"drop"` or `NULL`: released tables have no groups.
#' @returns In `summarise()`: a `dp_query`, for [release()], [dp_preview()] and [dp_keys()].
#' @details
#' | aggregate | of each group |
#' |---|---|
#' | `dp_count()` | number of rows |
#' | `dp_n_ids()` | number of people |
#' | `dp_n_missing(x)` | number of rows without a value |
#' | `dp_n_distinct(x)` | number of different values |
#' | `dp_sum(x)`, `dp_mean(x)` | sum and mean of the clamped values |
#' | `dp_var(x)`, `dp_sd(x)` | variance, and its root |
#' | `dp_quantile(x, probs)`, `dp_median(x)` | quantiles, among the values `at` |
#' | `dp_histogram(x, breaks)` | numbers of rows in cells |
#' | [dp_n_capped()], [dp_n_dropped(up_to = )][dp_n_dropped] | people and rows that a cap concerns |
#'
#' With `weights = w`, a count is the sum of `w`, a sum that of `w * x`, and a mean the sum of
#' `w * (x - c)` over that of `w`, plus `c`, where `c` is the middle of the bounds. Intervals count
#' the noise of both sums. As all intervals of queries, they do not count sampling.
#'
#' Means and quantiles of a column of dates are dates; its variance is of days, and it has no sum.
#'
#' Quantiles by `method = "tree"` come with intervals; how many rows the rank of one by `"score"`
#' may be off, [dp_preview()] says.
#'
#' A mean of a column that cannot be missing uses the count of its group: beside `dp_count()` it
#' pays for one count only. Aggregates that stand twice in a query are measured once.
#' @section Sensitivity: With at most `l0` groups, `l1` rows in all and `li` rows in one group
#'   changed by the unit ([dp_truncate()]), a count changes by `l1` in L1, and in L2 by the root of
#'   `li^2` times the number of groups that can be full, and the rest; a sum by as much times the
#'   largest absolute value; the centred sum of a mean times half of the range. People count as `li
#'   = 1` for each. With weights of at most `W`, all of these are `W` times as large: one row moves
#'   the two sums of a mean together by `W (1 + half of the range)` in L1. Weights and values are
#'   rounded to at most 2^26 steps within their bounds.
#' @section Errors: `dp_error_unsupported` outside of `summarise()`, for functions that are not
#'   private, with those that are, and for sums of dates; `dp_error_domain` for a column of
#'   levels or texts in a sum, mean, variance or quantile, for a column without bounds, if the call
#'   has none either, and for weights without bounds or with a lower bound
#'   below 0; `dp_error_invalid_argument` for a public argument that names a column. To use a
#'   variable that has the name of a column, write `.env$name`.
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
#' people |>
#'   summarise(age = dp_mean(age, weights = educ)) |>
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
dp_quantile <- function(x, probs = 0.5, at = NULL, bounds = NULL, share = 1,
                        method = c("auto", "tree", "score"), weights = NULL,
                        weight = NULL) {
  stop_outside("dp_quantile")
}

#' @rdname dp_aggregates
#' @export
dp_median <- function(x, at = NULL, bounds = NULL, share = 1,
                      method = c("auto", "tree", "score"), weights = NULL,
                      weight = NULL) {
  stop_outside("dp_median")
}

#' @rdname dp_aggregates
#' @export
dp_histogram <- function(x, breaks, share = 1, weight = NULL) stop_outside("dp_histogram")

stop_outside <- function(name) {
  stop_query("unsupported",
    paste0("`", name, "()` stands in `summarise()` of a private table, a `dp_tbl()`."),
    "Rows of a data frame have no budget. `dp_tbl()` makes a private table of it.",
    sys.call(-1)
  )
}

# What the core calls them.
aggregate_kinds <- c(
  dp_count = "count", dp_n_ids = "ids", dp_n_missing = "missing", dp_n_distinct = "distinct",
  dp_sum = "sum", dp_mean = "mean", dp_var = "variance", dp_sd = "deviation",
  dp_quantile = "quantiles", dp_median = "quantiles", dp_histogram = "histogram",
  dp_n_capped = "capped", dp_n_dropped = "dropped"
)

# The aggregate that a call means, without a name.
read_aggregate <- function(expr, env, x, call) {
  fun <- name_of_function(expr)
  scope <- row_scope(x, call)
  args <- matched(expr, get(fun, topenv()), scope)
  of <- if ("x" %in% names(args)) {
    if (is.null(args$x)) stop_argument("given", "left out", "x", as.call(list(as.name(fun))))
    read_expr(args$x, env, scope)
  }
  if (fun %in% c("dp_n_ids", "dp_n_capped", "dp_n_dropped") && parts_of(x)$unit$kind != "id") {
    stop_query("unsupported", "The rows of this table are not of people who have several.",
      if (fun == "dp_n_ids") "`dp_count()` counts rows." else "`dp_unit(id = )` names people.", call
    )
  }
  if (fun == "dp_sum" && is_of_dates(list(of = of), fields_of(x))) {
    stop_query("unsupported",
      paste0("Dates have no sum, and ", quoted(describe_expr(of)), " has dates."),
      "`dp_mean()` and `dp_median()` of dates are dates.", call
    )
  }
  given <- public_arguments(fun, args[setdiff(names(args), c("x", "weights"))], env, scope)
  given["weights"] <- list(read_weights(args$weights, env, scope))
  as_it_is(checked_aggregate(fun, of, given, as.call(list(as.name(fun)))))
}

checked_aggregate <- function(fun, of, given, call) {
  positive <- function(name, null = TRUE) {
    check_number(given[[name]], above = 0, null = null, arg = name, call = call)
  }
  if (!is.null(given$scale) && !is.null(given$accuracy)) {
    stop_argument("left out where `accuracy` is given", "given", "scale", call)
  }
  probabilities <- if (fun == "dp_median") 0.5 else given$probs
  if (fun == "dp_quantile") probabilities <- check_probs(probabilities %||% 0.5, call)
  if (fun == "dp_histogram" && is.null(given$breaks)) {
    stop_argument("two or more increasing numbers", "left out", "breaks", call)
  }
  method <- check_choice(given$method %||% "auto", c("auto", "tree", "score"), arg = "method",
    call = call
  )
  bounds <- if (inherits(given$bounds, "Date")) plain_constant(given$bounds) else given$bounds
  bounds <- check_bounds(bounds, null = TRUE, arg = "bounds", call = call)
  share <- positive("share") %||% 1
  list(
    fun = aggregate_kinds[[fun]], of = of,
    bounds = if (!is.null(bounds)) as.double(unlist(bounds)), weight = as.double(share),
    scale = positive("scale"), accuracy = positive("accuracy"), probabilities = probabilities,
    grid = check_grid(given$at %||% given$breaks, if (is.null(given$at)) "breaks" else "at", call),
    method = written_method(method, length(probabilities)), weights = given$weights,
    up_to = check_up_to(fun, given$up_to, call)
  )
}

# The method in the form of a query. Quantiles one after the other are chosen by their ranks. A
# stored query that says "score", or "automatic" for one or two, has the score of older versions.
written_method <- function(method, quantiles) {
  by_rank <- method == "score" || method == "auto" && quantiles %in% 1:2
  if (by_rank) "rank" else if (method == "auto") "automatic" else method
}

check_probs <- function(probs, call) {
  if (!is.numeric(probs) || length(probs) == 0 || anyNA(probs) || any(probs < 0 | probs > 1)) {
    stop_argument("probabilities from 0 to 1", "others", "probs", call)
  }
  as.double(probs)
}

check_grid <- function(grid, arg, call) {
  if (is.null(grid)) {
    return(NULL)
  }
  if (length(grid) > limit("cells")) {
    stop_argument(paste("at most", limit("cells"), "numbers"), length(grid), arg, call)
  }
  if (inherits(grid, "Date")) grid <- plain_constant(grid)
  if (!is.numeric(grid) || length(grid) < 2 || !all(is.finite(grid)) || any(diff(grid) <= 0)) {
    stop_argument("two or more increasing numbers", "others", arg, call)
  }
  as.double(grid)
}
