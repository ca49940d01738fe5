#' Missing values and values outside the bounds
#'
#' How a query reads values that are missing, outside the declared bounds, or not of the declared
#' type. You choose the rule for missing values with the argument `missing` of each declaration
#' ([dp_schema()]). [dp_check()] releases how many rows each rule affects.
#'
#' @section Missing values: These values are missing: `NA`, `NaN`, the codes in `na`, texts that are
#'   not a declared level, and values that cannot be read as the declared type. The argument
#'   `missing` has one of these values:
#'
#'   * `"drop"`: aggregates of this column omit the row. The row is in no group of this column, and
#'     a comparison with the column is missing. For `dp_levels()`, `NULL` means the same.
#'   * A value within the bounds, `TRUE` or `FALSE`, or a declared level: this value replaces
#'     missing values.
#'   * `NA`: missing values form a group in `group_by()`, `count()` and `dp_per_unit(.by = )`, after
#'     all other groups. So do missing results of expressions, such as `month(day)`,
#'     `cut(cost, breaks)` or `age > 17`. Columns of `dp_num()` cannot form groups. Otherwise `NA`
#'     works as `"drop"`: comparisons are missing, and joins match no row.
#'   * `dp_drop()`: the row leaves the table, before all verbs.
#'   * `"midpoint"`, for numbers and dates with bounds: sums, means, variances and quantiles of the
#'     column use the middle of the bounds, rounded down to a whole number or a day. So do weights.
#'     Groups, comparisons, computed values and [dp_per_unit()] work as with `"drop"`.
#' @section Values outside the bounds: `dp_int()` rounds numbers to whole numbers, ties to even, as
#'   [round()] does. `dp_date()` drops the time of day. Then the bounds apply. A value outside them
#'   has two readings:
#'
#'   * As an *amount*, it becomes the nearer bound. Amounts are the operands of `+`, `<` and `>`,
#'     and the values in sums, means and quantiles.
#'   * As a *key*, it is missing. Keys are the values in `group_by()`, `count()` and joins, in `==`
#'     and `%in%`, in `cut()`, in histograms and in numbers of distinct values.
#'
#'   Derived columns have both readings, too. After `mutate(decade = age %/% 10 * 10)`, a person
#'   whose age is outside the bounds is in no decade. The mean of `decade` uses the nearer bound.
#' @section Expressions: A missing operand makes the result missing. `coalesce()` and
#'   [replace_na()][dp_verbs] replace missing values, and [drop_na()][dp_verbs] drops their rows.
#'   `na_if(x, y)` raises an error if the declared range of `x` excludes the constant `y`, because
#'   it would never match. Declare such codes with `na = ` instead.
#' @section Statistics: A statistic has one rule for its columns, the argument `missing`. `"drop"`
#'   is the default, or `"impute"` if you give `imputeRng`. Plans that were saved before this
#'   default keep their rule. With `"impute"` all `n` rows count: a row without a value counts as a
#'   uniform draw, regardless of its true value. Impute only if almost nothing is missing.
#'
#'   With `"drop"`, [dpMean()] releases the count and the sum of the other rows in one measurement.
#'   One replaced row changes both, and costs `epsilon`. Let h be half the width of `rng` and c its
#'   middle. The count has discrete Laplace noise of scale 2 / epsilon. The sum of x - c has noise
#'   of scale 2 h / epsilon if squares are not released. A noisy count above n - 2 log(10) / epsilon
#'   is replaced by `n`. With probability at least `1 - alpha`, `interval` contains the mean of the
#'   rows with a value. Other statistics work alike. Their pages give the noise.
#' @section Joins and people: A missing key matches no row of a public table. Rows without an id
#'   belong to no person, and queries omit them. [dp_per_unit()] drops rows whose `.by` column is
#'   missing, unless the column has `missing = NA`.
#' @section Earlier versions: Stored queries keep their rules. Queries of the first version read
#'   fractions in `dp_int()` as missing, and every value outside the bounds as the nearer bound.
#' @seealso [dp_schema()], [dp_check()]
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' library(dplyr, warn.conflicts = FALSE)
#' visits <- data.frame(ward = c("North", "South", NA, "unknown"), days = c(3, NA, 99, 7))
#' table <- dp_tbl(dp_session(dp_epsilon(1000)), visits,
#'   unit = dp_unit(rows = 1),
#'   domain = dp_schema(
#'     ward = dp_levels("North", "South", missing = NA), days = dp_int(0, 30, missing = 0)
#'   )
#' )
#' # The budget is large, so that the counts have little noise.
#' suppressWarnings(release(count(table, ward), epsilon = 100))
#' suppressWarnings(release(summarise(table, days = dp_sum(days)), epsilon = 100))
#' @name missing_values
NULL

# tidyr verbs for missing values.

# tidyr chooses the names of these methods.
# nolint start: object_name_linter.

#' @rdname dp_verbs
#' @exportS3Method tidyr::drop_na
drop_na.dp_tbl <- function(data, ...) {
  call <- environment()
  columns <- names(data)
  check_unnamed(...names(), call)
  if (...length() > 0) columns <- columns[chosen_columns(rlang::expr(c(...)), data, call, call)]
  for (name in columns) {
    is_there <- operation("!", operation("is.na", column(name)))
    data <- add_step(data, list(step = "filter", predicate = is_there), call = call)
  }
  data
}

#' @rdname dp_verbs
#' @exportS3Method tidyr::replace_na
replace_na.dp_tbl <- function(data, replace = list(), ...) {
  call <- environment()
  check_names(...)
  if (!is.list(replace) || length(names(replace)) != length(replace)) {
    stop_argument("a list of values, named by columns", describe(replace), "replace", call)
  }
  for (name in names(replace)) {
    scope <- row_scope(data, call)
    if (!name %in% scope$columns) stop_undeclared(name, scope)
    value <- operation("coalesce", column(name), literal(replace[[name]], scope))
    data <- add_step(data, list(step = "mutate", name = name, value = value), call = call)
  }
  data
}

# nolint end
