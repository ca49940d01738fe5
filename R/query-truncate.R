#' Limit what one person contributes
#'
#' Where people have several rows ([dp_unit()] with `id`), noise can hide one of them only if their
#' rows are limited. `dp_truncate()` keeps at most so many of each person, and drops others.
#'
#' @param .data (`dp_tbl`)
#' @param max_rows (whole number) At most so many rows of a person in all. Public.
#' @param max_groups (whole number) Rows of a person in at most so many groups of `by`. Public.
#' @param max_rows_per_group (whole number) At most so many rows of a person in each of them.
#'   Public.
#' @param by Columns: a bare name, or `c()` of names. The columns of `group_by()`, if there are any,
#'   by default.
#' @param keep Which rows and groups are kept: `"random"` ones, by a secret-free keyed hash, or
#'   those with the least (`"first"`) or largest (`"last"`) value of `order`.
#' @param order An expression, with `keep = "first"` and `"last"`.
#' @returns (`dp_tbl`)
#' @section Contributions: One person changes at most `max_groups` groups, `max_rows_per_group` rows
#'   in each, and `max_rows` in all; several caps hold together. Caps must be chosen without
#'   looking at the data. Small ones lose rows, large ones need more noise: [dp_preview()] shows it.
#' @section Order of groups: With `keep = "first"`, a group has the least `order` of the person's
#'   rows in it, and `max_groups` keeps the groups with the least. With `keep = "last"`, it has the
#'   largest, and the groups with the largest stay. Rows without a value of `order` come last. If
#'   values are equal, a keyed hash of the person and the group decides. Only the rows of a person
#'   decide which of them stay.
#' @section Errors: `dp_error_invalid_argument` for caps that are no whole numbers, none at all, or
#'   caps of groups without `by`; `dp_error_unsupported` if the unit of the table are rows.
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' stays <- dp_tbl(dp_session(dp_zcdp(0.5)), NULL,
#'   unit = dp_unit(id = patient),
#'   domain = dp_domain(ward = dp_levels("A", "B", "C"), days = dp_int(0, 60))
#' )
#' stays |>
#'   dp_truncate(max_groups = 2, max_rows_per_group = 3, by = ward)
#' @export
dp_truncate <- function(.data, max_rows = NULL, max_groups = NULL, max_rows_per_group = NULL,
                        by = NULL, keep = c("random", "first", "last"), order = NULL) {
  call <- environment()
  check_table(.data, call)
  check_cap(max_rows)
  check_cap(max_groups)
  check_cap(max_rows_per_group)
  keep <- check_choice(keep[[1]], c("random", "first", "last"), arg = "keep")
  if (parts_of(.data)$unit$kind != "id") {
    stop_query("unsupported", "Rows of this table are not of people who have several.",
      "`dp_unit(id = )` says whose they are; with `dp_unit(rows = )` nothing has to be dropped.",
      call
    )
  }
  by <- names_in_quo(rlang::enquo(by), "by", call) %||% parts_of(.data)$groups
  absent <- setdiff(by, names(.data))
  if (length(absent) > 0) stop_undeclared(absent[[1]], new_scope(names(.data), call))
  check_caps(max_rows, max_groups, max_rows_per_group, by, call)
  order <- rlang::enquo(order)
  if (rlang::quo_is_null(order) != (keep == "random")) {
    stop_argument("given where `keep` is \"first\" or \"last\", and left out else",
      if (keep == "random") "given" else "left out", "order", call
    )
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
    stop_query("unsupported", "This comes before `summarise()`.", call = call)
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

#' One row for each person
#'
#' Sums up the rows of each person, or of each person in each group of `.by`, into one row, whose
#' values are bounded like any column. What follows is a query about people.
#'
#' @param .data (`dp_tbl`) Its unit has an `id`.
#' @param ... Values by name: `n()`, the number of rows; `sum(x)`, `min(x)`, `max(x)` of a column or
#'   expression with bounds; `any(x)`, `all(x)` of a logical.
#' @param .by Columns: a bare name, or `c()` of names. A person has a row for each combination. Rows
#'   without a value in one of these columns belong to no group, and are dropped. To keep them,
#'   declare the column with `missing = NA`, or give them a value before:
#'   `mutate(ward = coalesce(ward, "unknown"))`.
#' @returns (`dp_tbl`) with the columns `.by` and `...`.
#' @section Bounds: `n()` and `sum()` may be large: bring them into bounds with `pmin()` in
#'   [mutate()][dp_verbs], or with `bounds` of an aggregate.
#' @section Errors: `dp_error_unsupported` for another function, or if the unit are rows.
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
  if (parts_of(.data)$unit$kind != "id") {
    stop_query("unsupported", "Rows of this table are not of people who have several.",
      "`dp_unit(id = )` says whose they are.", call
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
  inform_of_no_cap(.data, values)
  add_step(.data, list(step = "per_unit", by = by, values = unname(values)),
    columns = c(by, names(quos)), groups = intersect(parts_of(.data)$groups, by), call = call
  )
}

# Without a cap a number of rows, or a sum, has bounds that nobody reaches.
inform_of_no_cap <- function(x, values) {
  is_cap <- vapply(parts_of(x)$steps, function(step) step$step == "truncate", NA)
  grows <- vapply(values, function(value) value$fun %in% c("rows", "sum"), NA)
  if (any(grows) && !any(is_cap)) {
    rlang::inform(paste0(
      "Without a cap on rows, means and sums of ", listed(names(values)[grows], "and"),
      " are mostly noise. Call `dp_truncate(max_rows = )` first."
    ), class = "dp_message_cap")
  }
}

unit_functions <- c(n = "rows", sum = "sum", min = "least", max = "most", any = "any", all = "all")

unit_value <- function(quo, name, x, call) {
  expr <- rlang::quo_get_expr(quo)
  fun <- name_of_function(expr)
  args <- if (is.call(expr)) as.list(expr)[-1]
  of_rows <- identical(fun, "n")
  if (!isTRUE(fun %in% names(unit_functions)) || length(args) != !of_rows) {
    stop_query("unsupported", paste0(quoted(label_of_call(expr)), " is not a value of a person."),
      paste0(
        "There are ", listed(paste0(names(unit_functions), "()")), ", of one argument or none."
      ),
      call
    )
  }
  check_operands(expr, row_scope(x, call))
  of <- if (!of_rows) read_expr(args[[1]], rlang::quo_get_env(quo), row_scope(x, call))
  list(name = name, fun = unit_functions[[fun]], of = of)
}

#' Promise facts about groups
#'
#' What the owner of the data promises of every table that could be, chosen without looking at this
#' one. Noise is less where more is known; it does not hide enough if a promise is false.
#'
#' @param .data (`dp_tbl`)
#' @param by Columns: a bare name, or `c()` of names. Rows without a value make a group, too.
#' @param keys (`logical(1)`) Whether the groups that there are are public.
#' @param lengths (`logical(1)`) Whether their numbers of rows are public, too. [dp_count()] then
#'   releases them without noise.
#' @param max_groups,max_length (whole number) At most so many groups, and rows in each.
#' @returns (`dp_tbl`)
#' @section Public lengths: Neighbouring tables must have the same lengths. So a row that comes or
#'   goes has no neighbours to hide in, and a replaced row has. With `lengths = TRUE`, protect
#'   replaced rows with `dp_unit(changes = 1)`, or a replaced person with `dp_unit(id = , n = 2)`.
#'   With `dp_unit(rows = 1)` or `dp_unit(id = )`, aggregates other than counts and histograms raise
#'   an error: their exact values would be released.
#' @section Errors: `dp_error_invalid_argument` for other arguments, or without any fact. An
#'   aggregate that `lengths` leaves without neighbours raises `dp_error_unsupported`.
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' people <- dp_tbl(dp_session(dp_epsilon(1)), NULL,
#'   unit = dp_unit(rows = 1), domain = dp_domain(region = dp_text(), age = dp_int(0, 120))
#' )
#' dp_margin(people, by = region, max_groups = 20)
#' @export
dp_margin <- function(.data, by, keys = FALSE, lengths = FALSE, max_groups = NULL,
                      max_length = NULL) {
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
