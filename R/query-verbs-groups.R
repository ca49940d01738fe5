# Verbs that group and count the rows of a private table.

# nolint start: object_name_linter.
#' @rdname dp_verbs
#' @exportS3Method dplyr::group_by
group_by.dp_tbl <- function(.data, ..., .add = FALSE, .drop = TRUE) {
  call <- environment()
  check_flag(.add)
  check_drop(.drop, call)
  quos <- expand_across(rlang::enquos(...), .data, call)
  computed <- !vapply(seq_along(quos), function(i) {
    expr <- rlang::quo_get_expr(quos[[i]])
    is.symbol(expr) && identical(as.character(expr), names(quos)[[i]]) &&
      names(quos)[[i]] %in% names(.data)
  }, NA)
  .data <- mutated(.data, quos[computed], call)
  before <- if (.add) tbl_data(.data)$groups
  with_tbl_data(.data, groups = union(before, names(quos)))
}

check_drop <- function(drop, call) {
  if (!isTRUE(drop)) {
    stop_query("invalid_argument",
      "`.drop` must be TRUE, because keys determine the released groups, including empty ones.",
      "Choose the groups with `dp_keys()` or `dp_levels()`.", call,
      argument = ".drop"
    )
  }
}

#' @rdname dp_verbs
#' @exportS3Method dplyr::ungroup
ungroup.dp_tbl <- function(x, ...) {
  dropped <- names(x)
  check_unnamed(...names(), environment())
  if (...length() > 0) {
    dropped <- names(chosen_columns(rlang::expr(c(...)), x, environment(), environment()))
  }
  with_tbl_data(x, groups = setdiff(tbl_data(x)$groups, dropped))
}

# Selected columns cannot be renamed here.
check_unnamed <- function(names, call) {
  named <- setdiff(names, c("", NA))
  if (length(named) > 0) stop_unknown(named[[1]], character(), call = call_of_verb(call))
}

#' @exportS3Method dplyr::group_vars
group_vars.dp_tbl <- function(x) tbl_data(x)$groups

#' @exportS3Method dplyr::groups
groups.dp_tbl <- function(x) rlang::syms(tbl_data(x)$groups)

#' @rdname dp_verbs
#' @exportS3Method dplyr::count
count.dp_tbl <- function(x, ..., wt = NULL, sort = FALSE, name = NULL, .drop = TRUE) {
  call <- environment()
  check_drop(.drop, call)
  counted(x, rlang::enquos(...), rlang::enquo(wt), sort, name, call)
}

#' @rdname dp_verbs
#' @exportS3Method dplyr::tally
tally.dp_tbl <- function(x, wt = NULL, sort = FALSE, name = NULL) {
  check_names()
  counted(x, rlang::quos(), rlang::enquo(wt), sort, name, environment())
}

counted <- function(x, quos, wt, sort, name, call) {
  check_string(name, null = TRUE, arg = "name", call = call)
  check_flag(sort, arg = "sort", call = call)
  if (!rlang::quo_is_null(wt)) {
    stop_query("invalid_argument", "`wt` must be left out, because a private sum needs bounds.",
      "Use `summarise(n = dp_count(weights = x))` for a weights column with declared bounds.", call,
      argument = "wt"
    )
  }
  check_new_columns(c(names(quos), name), call)
  x <- dplyr::group_by(x, !!!quos, .add = TRUE)
  query <- summarised(x, stats::setNames(rlang::quos(dp_count()), name %||% "n"), call)
  if (sort) with_tbl_data(query, sorted_by = name %||% "n") else query
}
# nolint end
