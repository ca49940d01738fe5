#' Promise facts about groups
#'
#' `dp_margin()` promises facts about the groups of a table, so queries need less noise. The data
#' holder must know that the facts hold for every possible table, not only for this one. If a
#' promise is false, the noise can be too small to protect people.
#'
#' @param .data (`dp_tbl`)
#' @param by Columns: a bare name, or `c()` of names. Missing values form a group, too.
#' @param keys (`logical(1)`) Whether the keys of existing groups are public.
#' @param lengths (`logical(1)`) Whether the keys and the numbers of rows of the groups are public.
#'   [dp_count()] then releases them without noise.
#' @param max_groups,max_length (whole number) Largest number of groups, and of rows in a group.
#' @param ... Not used: other names raise an error.
#' @returns (`dp_tbl`)
#' @section Public lengths: With `lengths = TRUE`, neighbouring tables must have the same lengths.
#'   So noise cannot hide an added or removed row, only a replaced one. Protect replaced rows with
#'   `dp_unit(changes = 1)`, or a replaced person with `dp_unit(id = , n = 2)`. With `dp_unit(rows =
#'   1)` or `dp_unit(id = )`, only counts and histograms are available. Other aggregates raise an
#'   error, because they would release exact values.
#' @section Errors: `dp_error_invalid_argument` without any promise, or for an invalid argument.
#'   `dp_error_unsupported` for an aggregate that has no neighbouring tables.
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' people <- dp_tbl(dp_session(dp_epsilon(1)), NULL,
#'   unit = dp_unit(rows = 1), domain = dp_domain(region = dp_text(), age = dp_int(0, 120))
#' )
#' dp_margin(people, by = region, max_groups = 20)
#' @export
dp_margin <- function(.data, by, keys = FALSE, lengths = FALSE, ..., max_groups = NULL,
                      max_length = NULL) {
  check_names(...)
  call <- environment()
  check_table(.data, call)
  by <- names_in_quo(rlang::enquo(by), "by", call) %||% character()
  absent <- setdiff(by, names(.data))
  if (length(absent) > 0) stop_undeclared(absent[[1]], new_scope(names(.data), call))
  check_flag(keys)
  check_flag(lengths)
  check_cap(max_groups)
  check_cap(max_length)
  if (!keys && !lengths && is.null(max_groups) && is.null(max_length)) {
    stop_argument("TRUE, or another fact given", "left out", "keys", call)
  }
  add_step(.data, list(
    step = "margin", by = by, keys = keys || lengths, lengths = lengths,
    max_groups = whole_or_null(max_groups), max_rows = whole_or_null(max_length)
  ), call = call)
}
