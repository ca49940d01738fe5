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
#' @param probs (`numeric`) Probabilities of the quantiles, from 0 to 1. Public.
#' @param at (`numeric`) At most a million increasing values. `method = "score"` selects among them.
#'   `"tree"` interpolates between them, so its quantiles need not be in `at`. A column without
#'   bounds needs only `at`. `NULL` takes all whole numbers within the bounds if they are
#'   few, otherwise equally spaced values. With `method = "score"` it adds the numbers with two
#'   digits in the eight decades below the largest magnitude. Public.
#' @param method (`character(1)`) Method for quantiles. `"tree"` computes all quantiles from one
#'   tree of counts, with intervals. `"score"` selects them one by one: each row counts at its
#'   nearest value of `at`. [dp_preview()] shows the rank error of `"score"`. `"auto"` is `"tree"`
#'   for three or more quantiles.
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
#' | `dp_quantile(x, probs)`, `dp_median(x)` | quantiles (by `"score"`: values of `at`) |
#' | `dp_histogram(x, breaks)` | number of rows in each cell |
#' | [dp_n_capped()], [dp_n_dropped(up_to = )][dp_n_dropped] | people and rows that a cap affects |
#'
#' Let `c` be the middle of the bounds of `x`. With `weights = w`, a count is the sum of `w`, and a
#' sum is the sum of `w * x`. A mean is `c` plus the sum of `w * (x - c)` divided by the sum of `w`.
#' Intervals cover the noise of both sums. They do not cover sampling error.
#'
#' `dp_moment(x)` is the sum of `x - c`, and `dp_moment(x, y)` the sum of `(x - c) * (y - d)`, with
#' `d` the middle of the bounds of `y`. Values are rounded to a grid of at least 2^25 steps in the
#' range, or to whole numbers. One row changes a moment by at most the half-width of `x`, times that
#' of `y`. Rows without a value of `x` or `y` do not count.
#'
#' The mean and the quantiles of dates are dates. Their variance is in squared days, and they have
#' no sum. A mean of a column that is never missing uses the count of its group, so `dp_count()`
#' beside it costs nothing extra. Duplicate aggregates are measured once. [dp_truncate()] has the
#' sensitivities.
#' @section Errors: `dp_error_unsupported` outside `summarise()`, for functions that are not
#'   private, and for sums of dates. `dp_error_domain` for sums, means, variances and quantiles of
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
dp_moment <- function(x, y = NULL, share = 1, scale = NULL) stop_outside("dp_moment")

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
    paste0("`", name, "()` works only inside `summarise()` of a private table."),
    "Make a private table of a data frame with `dp_tbl()`.",
    sys.call(-1)
  )
}

# Reads the call of one aggregate. The result has no name.
read_aggregate <- function(expr, env, x, call) {
  fun <- name_of_function(expr)
  scope <- row_scope(x, call)
  args <- matched(expr, get(fun, topenv()), scope)
  of <- if ("x" %in% names(args)) {
    if (is.null(args$x)) stop_argument("given", "left out", "x", as.call(list(as.name(fun))))
    read_expr(args$x, env, scope)
  }
  if (fun %in% c("dp_n_ids", "dp_n_capped", "dp_n_dropped") && parts_of(x)$unit$kind != "id") {
    stop_query("unsupported", "The unit of this table has no id.",
      if (fun == "dp_n_ids") {
        "Use `dp_count()` to count rows."
      } else {
        "Name the id column with `dp_unit(id = )`."
      }, call
    )
  }
  if (fun == "dp_sum" && is_of_dates(list(of = of), fields_of(x))) {
    stop_query("unsupported",
      paste0("Dates have no sum, but ", quoted(describe_expr(of)), " has dates."),
      "Use `dp_mean()` or `dp_median()`, which return dates.", call
    )
  }
  given <- public_arguments(fun, args[setdiff(names(args), c("x", "y", "weights"))], env, scope)
  if (is_of_dates(list(of = of), fields_of(x))) {
    points <- intersect(c("at", "breaks", "bounds"), names(given))
    given[points] <- lapply(given[points], days_of_texts)
  }
  given["weights"] <- list(read_weights(args$weights, env, scope))
  if (!is.null(args$y)) given$times <- read_expr(args$y, env, scope)
  as_it_is(checked_aggregate(fun, of, given, as.call(list(as.name(fun)))))
}

# Texts such as "2026-01-31" beside dates are dates.
days_of_texts <- function(points) {
  days <- if (is.character(points)) lapply(points, iso_date)
  if (length(days) == 0 || any(lengths(days) == 0)) points else do.call(c, days)
}

checked_aggregate <- function(fun, of, given, call) {
  positive <- function(name, null = TRUE) {
    check_number(given[[name]], above = 0, null = null, arg = name, call = call)
  }
  if (!is.null(given$scale) && !is.null(given$accuracy)) {
    stop_argument("left out if `accuracy` is given", "given", "scale", call)
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
    fun = aggregate_kinds[[fun]], of = of, times = given$times,
    bounds = if (!is.null(bounds)) as.double(unlist(bounds)), weight = as.double(share),
    scale = positive("scale"), accuracy = positive("accuracy"), probabilities = probabilities,
    grid = check_grid(given$at %||% given$breaks, if (is.null(given$at)) "breaks" else "at", call),
    method = written_method(method, length(probabilities)), weights = given$weights,
    up_to = check_up_to(fun, given$up_to, call)
  )
}

# The method in the form of a query. "rank" selects quantiles one by one, by their rank. In stored
# queries, "score", and "automatic" for one or two quantiles, mean the score of older versions.
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
    is_probability <- arg == "at" && is_number(grid) && grid >= 0 && grid <= 1
    stop_argument(
      paste0(
        "two or more increasing numbers",
        if (is_probability) " (several probabilities are `probs = c(0.25, 0.75)`)"
      ),
      if (is.numeric(grid)) name_public(grid) else describe(grid), arg, call
    )
  }
  as.double(grid)
}
