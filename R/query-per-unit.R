#' Summarise the rows of each person
#'
#' `dp_per_unit()` turns the rows of each person into one row, or into one row per group of `.by`.
#' Later steps are then about people. The new columns have bounds, like any column.
#'
#' @param .data (`dp_tbl`) Its unit has an `id`.
#' @param ... Named values: `n()` (the number of rows), `sum(x)`, `min(x)` or `max(x)` of a bounded
#'   column or expression, and `any(x)` or `all(x)` of a logical.
#' @param .by Columns: a bare name, or `c()` of names. Each person gets a row for each combination.
#'   Rows where one of these columns is missing are dropped. To keep them, declare the column with
#'   `missing = NA`, or replace missing values first: `mutate(ward = coalesce(ward, "unknown"))`.
#' @returns (`dp_tbl`) with the columns `.by` and `...`.
#' @section Bounds: The bounds of `n()` and `sum()` are very large, even after [dp_truncate()].
#'   Clamp the values with `pmin()` in [mutate()][dp_verbs], or with the `bounds` of an aggregate.
#'   Otherwise sums, means, variances and quantiles of them are mostly noise, and `summarise()` says
#'   so in a message of class `dp_message_bounds`.
#' @section Missing values: Functions leave out rows where `x` is missing. If no other rows are
#'   left, `sum(x)` is 0, `any(x)` is `FALSE`, `all(x)` is `TRUE`, and `min(x)` and `max(x)` are
#'   missing. `missing = "midpoint"` ([missing_values]) replaces no value here. The footer of a
#'   release says so. To drop these rows first, use `filter(!is.na(x))`.
#' @section Errors: `dp_error_unsupported` for other functions, or if the unit has no id.
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' stays <- dp_tbl(dp_session(dp_zcdp(0.5)), NULL,
#'   unit = dp_unit(id = patient),
#'   domain = dp_domain(year = dp_levels(2020:2024), days = dp_int(0, 60))
#' )
#' stays |>
#'   dp_truncate(max_rows = 10) |>
#'   dp_per_unit(total = sum(days), .by = year)
#' @export
dp_per_unit <- function(.data, ..., .by = NULL) {
  call <- environment()
  check_table(.data, call)
  if (tbl_data(.data)$unit$kind != "id") {
    stop_query("unsupported", "The unit of this table has no id.",
      "Name the id column with `dp_unit(id = )`.", call
    )
  }
  by <- names_in_quo(rlang::enquo(.by), ".by", call) %||% character()
  absent <- setdiff(by, names(.data))
  if (length(absent) > 0) stop_undeclared(absent[[1]], new_scope(names(.data), call))
  quos <- named_quos(rlang::enquos(...), call)
  check_new_columns(names(quos), call)
  if (anyDuplicated(c(by, names(quos))) > 0) {
    stop_query("unsupported", "Two columns would have the same name.", call = call)
  }
  values <- Map(function(quo, name) unit_value(quo, name, .data, call), quos, names(quos))
  add_step(.data, list(step = "per_unit", by = by, values = unname(values)),
    columns = c(by, names(quos)), groups = intersect(tbl_data(.data)$groups, by), call = call
  )
}

unit_value <- function(quo, name, x, call) {
  expr <- rlang::quo_get_expr(quo)
  fun <- name_of_function(expr)
  args <- if (is.call(expr)) as.list(expr)[-1]
  of_rows <- identical(fun, "n")
  if (!isTRUE(fun %in% names(unit_functions)) || length(args) != !of_rows) {
    stop_query("unsupported",
      paste0(quoted(label_of_call(expr)), " is not supported in `dp_per_unit()`."),
      paste0(
        "Use ", listed(paste0(names(unit_functions), "()")), ", with one argument or none."
      ),
      call
    )
  }
  check_operands(expr, row_scope(x, call))
  of <- if (!of_rows) read_expr(args[[1]], rlang::quo_get_env(quo), row_scope(x, call))
  list(name = name, fun = unit_functions[[fun]], of = of)
}
