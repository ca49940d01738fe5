#' Limit the rows of each person
#'
#' `dp_truncate()` keeps at most `max_rows` rows per person and drops the rest. If people can have
#' several rows ([dp_unit()] with `id`), a release needs such a cap, because noise can only hide a
#' bounded contribution.
#'
#' @param .data (`dp_tbl`)
#' @param max_rows (whole number) Largest number of rows per person. Public.
#' @param max_groups (whole number) Largest number of groups of `by` per person. Public.
#' @param max_rows_per_group (whole number) Largest number of rows per person in each group. Public.
#' @param by Columns: a bare name, or `c()` of names. The default is the grouping of the table.
#' @param keep Rows and groups to keep: `"random"`, or those with the smallest (`"first"`) or
#'   largest (`"last"`) value of `order`. `"random"` uses a hash with a random salt.
#' @param order An expression. Required if `keep` is `"first"` or `"last"`.
#' @param ... Not used: other names raise an error.
#' @returns (`dp_tbl`)
#' @section Contributions: One person changes at most `max_groups` groups, `max_rows_per_group` rows
#'   in each, and `max_rows` rows in all. You can combine caps. Choose them without looking at the
#'   data: small caps drop rows, and large caps need more noise. [dp_preview()] shows the noise.
#'   Rows that are in no group of `summarise()` leave before the caps apply, if at most `mutate()`
#'   is between the two verbs and keeps the columns of `by` and `order`. After a `filter()`, such
#'   rows count toward the caps.
#' @section Sensitivity of aggregates: Suppose that one unit of privacy changes at most `l0` groups,
#'   `l1` rows in all, and `li` rows in one group. [dp_count()] then has L1 sensitivity `l1`. Its
#'   squared L2 sensitivity is `li^2` for each group that the unit can fill, plus the square of the
#'   remaining rows. Multiply the sensitivities by the largest absolute value for a sum, and by half
#'   the range for the centred sum of a mean. [dp_n_ids()] has `li = 1`. Weights of at most `W`
#'   multiply all sensitivities by `W`. The two sums of a weighted mean together have L1 sensitivity
#'   `W (1 + half the range)` for one row. Weights and values are rounded to at most 2^26 steps
#'   within their bounds.
#' @section Order of groups: With `keep = "first"`, `max_groups` keeps the groups where the smallest
#'   `order` of the person's rows is smallest. With `keep = "last"`, it keeps the groups where the
#'   largest `order` is largest. Rows with a missing `order` come last. The hash breaks ties. Rows
#'   of other people never matter.
#' @section Errors: `dp_error_invalid_argument` if a cap is not a whole number, if there is no cap,
#'   or if a cap on groups lacks `by`. `dp_error_unsupported` if the unit of the table has no id.
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' stays <- dp_tbl(dp_session(dp_zcdp(0.5)), NULL,
#'   unit = dp_unit(id = patient),
#'   domain = dp_domain(ward = dp_levels("A", "B", "C"), days = dp_int(0, 60))
#' )
#' stays |>
#'   dp_truncate(max_groups = 2, max_rows_per_group = 3, by = ward)
#' @export
dp_truncate <- function(.data, max_rows = NULL, ..., max_groups = NULL, max_rows_per_group = NULL,
                        by = NULL, keep = c("random", "first", "last"), order = NULL) {
  check_names(...)
  call <- environment()
  check_table(.data, call)
  check_cap(max_rows)
  check_cap(max_groups)
  check_cap(max_rows_per_group)
  keep <- check_choice(keep[[1]], c("random", "first", "last"), arg = "keep")
  if (tbl_data(.data)$unit$kind != "id") {
    stop_query("unsupported", "The unit of this table has no id.",
      "Name the id column with `dp_unit(id = )`. With `dp_unit(rows = )`, no cap is needed.",
      call
    )
  }
  by <- names_in_quo(rlang::enquo(by), "by", call) %||% tbl_data(.data)$groups
  absent <- setdiff(by, names(.data))
  if (length(absent) > 0) stop_undeclared(absent[[1]], new_scope(names(.data), call))
  check_caps(max_rows, max_groups, max_rows_per_group, by, call)
  order <- rlang::enquo(order)
  if (rlang::quo_is_null(order) != (keep == "random")) {
    if (keep == "random") stop_argument("left out if `keep` is \"random\"", "given", "order", call)
    stop_argument("given if `keep` is \"first\" or \"last\"", "left out", "order", call)
  }
  of_groups <- !is.null(max_groups) || !is.null(max_rows_per_group)
  add_step(.data, list(
    step = "truncate", by = if (of_groups) by else character(), rows = whole_or_null(max_rows),
    groups = whole_or_null(max_groups), rows_per_group = whole_or_null(max_rows_per_group),
    keep = keep, order = if (keep != "random") read_quo(order, row_scope(.data, call))
  ), call = call)
}

check_table <- function(x, call) {
  if (inherits(x, "dp_query")) {
    stop_query("unsupported", "This verb must come before `summarise()`.", call = call)
  }
  if (!inherits(x, "dp_tbl")) stop_argument("a dp_tbl", describe(x), ".data", call)
}

check_cap <- function(x, arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  check_whole(x, min = 1, max = .Machine$integer.max, null = TRUE, arg = arg, call = call)
}

whole_or_null <- function(x) if (!is.null(x)) as.integer(x)

check_caps <- function(max_rows, max_groups, max_rows_per_group, by, call) {
  if (is.null(max_rows) && is.null(max_groups) && is.null(max_rows_per_group)) {
    stop_argument("given, or `max_groups` or `max_rows_per_group`", "left out", "max_rows", call)
  }
  if (length(by) == 0 && !(is.null(max_groups) && is.null(max_rows_per_group))) {
    stop_argument("the columns whose groups are limited", "left out", "by", call)
  }
}
