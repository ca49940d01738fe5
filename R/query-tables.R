#' Tables of counts that add up
#'
#' `dp_tables()` is a query, like `summarise()`. It counts the rows in each cell of several tables
#' of a [dp_tbl()]. [release()] charges the session once for all of them. Every sum of a released
#' table equals the same sum of every other, and each cell has an exact standard error.
#'
#' @param .data (`dp_tbl`) A private table without groups, in a session with `rho`, such as
#'   `dp_session(dp_zcdp(1))`.
#' @param ... In `dp_tables()`, tables that `dp_cross()` and `dp_crosses()` describe. In
#'   `dp_cross()`, the columns of one table. In `dp_crosses()`, the columns to cross: all columns
#'   but the id by default. In `dp_breaks()` it is not used. Public.
#' @param bins (named `list`) Cells of numeric columns: break points within the bounds of the
#'   column, or `dp_breaks()`. A cell of whole numbers begins at a break. A cell of real numbers
#'   ends at a break, which it includes. The outer cells reach to the bounds. Without bins, whole
#'   numbers with at most 50 values have a cell for each, and other numbers have 16 cells of equal
#'   width. Public.
#' @param weights (named positive `numeric`) Importance of tables, 1 by default, by their names,
#'   such as `c("sex:educ" = 2, age = 5)`. Important tables have smaller errors. Public.
#' @param size (whole number) Number of columns of each table. Public.
#' @param count (whole number) Number of cells, at least 2. `"log"` rounds breaks, which can merge
#'   cells. Public.
#' @param type (`character(1)`) `"equal"` for cells of equal width, or `"log"` for cells whose width
#'   grows with the distance from the lower bound. Public.
#' @param x,object A release of `dp_tables()`.
#' @param table (`character(1)`) Name of a table, such as `"sex:educ"`.
#' @returns `dp_tables()` returns a query for [release()], [dp_preview()], [dp_solve()],
#'   [dp_batch()] and [to_json()]. `dp_cross()`, `dp_crosses()` and `dp_breaks()` return arguments
#'   of `dp_tables()`.
#'
#'   Its release is a [dp_result] with these elements:
#'   * `counts`: a data frame for each table, by name: a factor for each column, `estimate`,
#'     `std.error`, `conf.low`, `conf.high` and `mark`. An estimate is unbiased, so it is not whole
#'     and can be negative. Its interval is cut at 0.
#'   * `rows` and `rows.error`: the number of rows, and its standard error.
#'   * `epsilon`, `delta` and `rho`: the loss.
#'
#'   [tidy()][statistic_tables] returns all tables as one data frame. `as.table()` returns the
#'   estimates of one table as an array, and `vcov()` the covariance matrix of their noise.
#'   `glance()`, `confint()` and `autoplot()` work as for other results.
#' @section Tables: A table contains its margins, so the release also has each table of some of its
#'   columns. The name of a table joins its columns by colons, in the order of their first mention.
#'
#'   A cell of each declared level is counted, whether or not it has rows. A value that is not
#'   declared counts as missing. A row that lacks a value of one of the columns is left out of all
#'   tables. With `missing = NA` in the declaration of the column, these rows have a cell of their
#'   own, `NA`.
#' @section How it works: Let the columns i of a set A have n_i cells each. The effect of A is its
#'   table without all means over its columns, as in the analysis of variance. A table is the
#'   sum of the effects of its columns. Effects are orthogonal, so nothing is measured twice. Times
#'   the product of all n_i, an effect consists of whole numbers, which are counted exactly. One row
#'   moves them by `sqrt(prod n_i (n_i - 1))` in L2. Each number gets discrete Gaussian noise.
#'
#'   The loss is divided among effects so that the mean absolute error of all tables is smallest. If
#'   `s_A` is the standard deviation of the noise in an effect, a cell of table B has the variance
#'   `sum s_A^2 prod_(i in A) (1 - 1 / n_i) prod_(i in B, not in A) 1 / n_i^2` over all A within B.
#'
#'   A replaced row ([dp_unit()] with `changes`) moves an effect by `sqrt(2 n / (n - 1))` times as
#'   much, with n the fewest cells of a column. The number of rows is then public. It costs nothing
#'   if no row can be left out.
#' @section Errors: `dp_error_unsupported` for a session of pure epsilon, for a grouped table, and
#'   for more than 1,000,000 cells in a table. `dp_error_domain` for columns without levels
#'   or bounds, for dates and texts, and for columns with one cell. `dp_error_invalid_argument` for
#'   breaks outside the bounds or out of order, and for unknown tables in `weights`.
#' @references Xiao, He, Zhang and Kifer (2023), *An Optimal and Scalable Matrix Mechanism for Noisy
#'   Marginals under Convex Loss Functions*; Canonne, Kamath and Steinke (2020), *The Discrete
#'   Gaussian for Differential Privacy*.
#' @seealso [dpContingency()] for one table of a data frame with a public number of rows.
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' people <- dp_tbl(dp_session(dp_zcdp(1)), PUMS5extract10000,
#'   unit = dp_unit(rows = 1),
#'   domain = dp_domain(
#'     sex = dp_levels(0, 1), educ = dp_int(1, 16), age = dp_int(18, 93), income = dp_num(0, 750000)
#'   )
#' )
#' tables <- dp_tables(people,
#'   dp_cross(sex, educ), dp_cross(age, sex),
#'   bins = list(age = c(25, 35, 50, 65))
#' )
#' tables
#' dp_preview(tables, rho = 0.1)
#' released <- release(tables, rho = 0.1)
#' released
#' released$counts$`sex:age`
#' as.table(released, "sex:age")
#' all.equal(sum(released$counts$sex$estimate), released$rows)
#' @name dp_tables
#' @order 1
NULL

#' @rdname dp_tables
#' @order 2
#' @export
dp_tables <- function(.data, ..., bins = NULL, weights = NULL) {
  check_names(..., unnamed = TRUE)
  call <- environment()
  check_table_of_tables(.data, call)
  asked <- asked_tables(list(...), .data, call)
  columns <- unique(unlist(asked))
  .data <- with_bins(.data, columns, bins, call)
  tables_query(.data, columns, lapply(asked, match, columns), weights, call)
}

check_table_of_tables <- function(x, call) {
  check_table_of_model(x, call)
  if (length(tbl_data(x)$groups) > 0) {
    stop_query("unsupported", "`dp_tables()` takes a table without groups.",
      "Name the columns in `dp_cross()` instead of `group_by()`.", call
    )
  }
  check_currency_of_tables(measure_name(tbl_data(x)$session$loss), call)
}

check_currency_of_tables <- function(measure, call) {
  if (measure != "rho") {
    stop_query("unsupported", "Tables need a session with `rho`, because their noise is Gaussian.",
      "Use `dp_session(dp_zcdp())`, or `dpContingency()` for one table with Laplace noise.", call
    )
  }
}

#' @rdname dp_tables
#' @order 3
#' @export
dp_cross <- function(...) {
  check_names(..., unnamed = TRUE)
  call <- environment()
  columns <- named_columns(rlang::enexprs(...), call)
  if (length(columns) == 0) stop_argument("at least one column", "empty", "...", call)
  structure(list(columns = columns), class = "dp_cross")
}

#' @rdname dp_tables
#' @order 4
#' @export
dp_crosses <- function(size, ...) {
  check_names(..., unnamed = TRUE)
  call <- environment()
  columns <- named_columns(rlang::enexprs(...), call)
  size <- check_positive_whole(size)
  if (length(columns) > 0 && size > length(columns)) {
    stop_argument("at most the number of columns", name_public(size), "size", call)
  }
  structure(list(size = size, columns = columns), class = "dp_cross")
}

named_columns <- function(exprs, call) {
  columns <- vapply(unname(exprs), function(expr) {
    if (!is.symbol(expr) && !is_string(expr)) {
      stop_argument("columns by name, such as `sex`", "an expression", "...", call)
    }
    as.character(expr)
  }, "")
  if (anyDuplicated(columns) > 0) {
    stop_argument("different columns", paste0("`", columns[[anyDuplicated(columns)]], "` twice"),
      "...", call
    )
  }
  columns
}

#' @export
format.dp_cross <- function(x, ...) {
  columns <- if (length(x$columns) > 0) toString(x$columns) else "all columns"
  if (is.null(x$size)) {
    paste0("<dp_cross> table of ", columns)
  } else {
    paste0("<dp_cross> tables of ", x$size, " of ", columns)
  }
}

#' @export
print.dp_cross <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

# The column names of each table.
asked_tables <- function(crosses, x, call) {
  for (cross in crosses) {
    if (!inherits(cross, "dp_cross")) {
      stop_argument("tables, such as `dp_cross(sex, educ)`", describe(cross), "...", call)
    }
  }
  if (length(crosses) == 0) {
    stop_argument("at least one table, such as `dp_cross(sex, educ)`", "empty", "...", call)
  }
  known <- setdiff(names(x), tbl_data(x)$unit$id)
  for (name in setdiff(unlist(lapply(crosses, `[[`, "columns")), names(x))) {
    stop_undeclared(name, new_scope(names(x), call))
  }
  unlist(lapply(crosses, function(cross) {
    columns <- if (length(cross$columns) > 0) cross$columns else known
    if (is.null(cross$size)) {
      return(list(columns))
    }
    if (cross$size > length(columns)) {
      stop_argument("at most the number of columns", name_public(cross$size), "size", call)
    }
    utils::combn(columns, cross$size, simplify = FALSE)
  }), recursive = FALSE)
}
