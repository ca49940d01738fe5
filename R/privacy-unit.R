#' Declare the unit of privacy
#'
#' Declares whose presence in a table a query hides: a number of rows, or all rows of a person.
#'
#' @aliases privacy_units
#' @param rows (whole number) Number of added or removed rows to hide, for tables with at most
#'   `rows` rows per person. Public.
#' @param id (columns) Hides all rows of a person: the column, or `c()` of columns, that identifies
#'   the person of each row, as bare names or strings. Several columns make their combination the
#'   unit: `c(rider, day)` hides a rider's day. Values of these columns are never released. Public.
#' @param n (whole number) Number of people to hide, with `id`. Public.
#' @param changes (whole number) Number of replaced rows to hide, for a table whose number of rows
#'   is public. Public.
#' @param relation (`character(1)`) How neighbouring tables differ. With `"add_remove"`, a person is
#'   in only one of them. With `"replace"`, the number of people or rows is public, and one of them
#'   has different values. `NULL` is `"replace"` for `changes`, otherwise `"add_remove"`. Public.
#' @param ever (`logical(1)`) With `rows`, for a table that grows: whether a person has at most
#'   `rows` rows in all versions together. You promise this, and nothing checks it. A ledger of
#'   rows needs this promise before it takes a second version, see [dp_new_version()]. Public.
#' @param x (`dp_unit`) Unit to print or format.
#' @param ... Not used.
#' @returns (`dp_unit`) A unit for [dp_tbl()].
#' @section Unit: `rows` is [symmetric_distance()], `changes` is [change_one_distance()]. With `id`,
#'   neighbouring tables differ in `n` people who are in only one of them, with all their rows.
#'   Everybody else has the same rows in both. So queries hide whether a person is in the table. A
#'   person who is in both tables, with different rows, counts as two. `relation = "replace"` hides
#'   any change of a person's rows. A release is then measured at a distance of `2 * n` people, so
#'   it has more noise at the same loss. The number of people is then public.
#' @section Ledgers: A release that protects `k` added or removed units at a distance of `2 k` also
#'   protects `k` replaced units, because replacing is removing and adding. So on a ledger of
#'   `dp_unit(changes = 1)`, use tables with `dp_unit(rows = 2)`. The converse does not hold, and
#'   rows do not identify people. Other units raise an error.
#' @section Tables that are aggregated: With one row for each person, use `rows = 1`, which needs no
#'   id column. With one row for each person and group, keep the `id` and use
#'   `dp_truncate(max_groups =, max_rows_per_group = 1)`. A row that is the only one of its group
#'   stays. If a person has more rows in a group, the table loses rows but keeps its guarantee. Each
#'   person then changes each group by one row only. Without an id column, set `rows` to the largest
#'   number of rows that one person has in all groups.
#' @section Errors: Raises `dp_error_invalid_argument` unless you give exactly one of `rows`, `id`
#'   and `changes`, or if an argument is invalid.
#' @template ref-dwork-roth-2014
#' @examples
#' dp_unit(rows = 1)
#' dp_unit(id = patient)
#' dp_unit(id = c(rider, day))
#' dp_unit(id = patient, relation = "replace")
#' @export
dp_unit <- function(rows = NULL, id = NULL, n = 1L, changes = NULL, ever = FALSE,
                    relation = NULL, ...) {
  check_names(...)
  rows <- unit_rows(rlang::enquo(rows), environment())
  id <- names_in_quo(rlang::enquo(id), "id", environment())
  given <- c(rows = !is.null(rows), id = !is.null(id), changes = !is.null(changes))
  check_exactly_one(given, environment())
  kind <- names(given)[given]
  largest <- .Machine$integer.max
  check_whole(rows, min = 1, max = largest, null = TRUE)
  check_whole(changes, min = 1, max = largest, null = TRUE)
  check_whole(n, min = 1, max = largest)
  check_flag(ever)
  check_relation(relation, kind)
  if (n != 1 && kind != "id") {
    stop_argument("left out without `id`", "given", "n", environment())
  }
  count <- as.integer(rows %||% changes %||% n)
  replaces <- identical(relation, "replace")
  if (replaces && kind == "rows") kind <- "changes"
  if (replaces && kind == "id" && count > largest / 2) {
    stop_argument(paste("at most", largest %/% 2L), "more", "n", environment())
  }
  parts <- list(kind = kind, id = id %||% character(), count = count, ever = ever)
  if (replaces && kind == "id") parts$relation <- "replace"
  structure(parts, class = "dp_unit")
}

# A name without `id =` is meant as a column.
unit_rows <- function(quo, call) {
  given <- rlang::quo_get_expr(quo)
  is_name <- is.symbol(given) && !identical(given, rlang::missing_arg()) &&
    !exists(as.character(given), rlang::quo_get_env(quo))
  if (is_name || is_string(given)) {
    name <- as.character(given)
    stop_with_hint("invalid_argument",
      paste0("`rows` must be a whole number, not the name ", name_public(name), "."),
      paste0("For the rows of one person write `dp_unit(id = ", name, ")`."), call,
      argument = "rows"
    )
  }
  rlang::eval_tidy(quo)
}

check_relation <- function(relation, kind, call = rlang::caller_env()) {
  check_choice(relation, c("add_remove", "replace"), null = TRUE, call = call)
  if (kind == "changes" && identical(relation, "add_remove")) {
    stop_argument("left out with `changes`, which are replaced rows", "\"add_remove\"", "relation",
      call
    )
  }
}

# Converts a unit to its form in the core: whose data, and how neighbouring tables differ.
unit_fields <- function(unit) {
  list(
    columns = as.list(sort(unit$id, method = "radix")), count = as.double(unit$count),
    relation = if (replaces(unit)) "replace" else "add_remove",
    what = if (unit$kind == "id") "people" else "rows"
  )
}

replaces <- function(unit) unit$kind == "changes" || identical(unit$relation, "replace")

# The unit for query maps, which count people who are added or removed.
mapped_unit <- function(unit) {
  if (unit$kind == "id" && replaces(unit)) {
    unit$count <- 2L * unit$count
    unit$relation <- NULL
  }
  unit
}

# The inverse of unit_fields().
unit_of_parts <- function(parts) {
  id <- as.character(unlist(parts$columns))
  of_rows <- if (parts$relation == "replace") "changes" else "rows"
  kind <- if (parts$what == "people") "id" else of_rows
  unit <- list(kind = kind, id = id, count = as.integer(parts$count), ever = FALSE)
  if (kind == "id" && parts$relation == "replace") unit$relation <- "replace"
  structure(unit, class = "dp_unit")
}

# Whether protection of `released` at the distance of its count also protects `owed`. Both are
# parts.
protects <- function(released, owed) {
  distance <- core_distance_of_neighbours(owed, released)
  !is.null(distance) && distance <= released$count
}

# Column names in `x`, `c(x, y)`, "x" or `c("x", "y")`. NULL gives NULL. Only `!!` is evaluated.
names_in_quo <- function(quo, arg, call) {
  if (!is_readable_code(rlang::quo_get_expr(quo))) {
    stop_dp("An expression must have {readable_code()}.", "unsupported", call = call)
  }
  names <- names_in_expr(rlang::quo_get_expr(quo))
  if (is.null(names) && !rlang::quo_is_null(quo)) {
    stop_argument("names of columns", "something else", arg, call)
  }
  if (anyDuplicated(names) > 0) {
    stop_argument("names of columns, each once", "one that comes twice", arg, call)
  }
  names
}

names_in_expr <- function(expr) {
  if (is.symbol(expr)) {
    return(as.character(expr))
  }
  if (is.character(expr) && !anyNA(expr) && all(nzchar(expr))) {
    return(as.vector(expr))
  }
  if (identical(name_of_function(expr), "c")) {
    each <- lapply(as.list(expr)[-1], names_in_expr)
    if (length(each) > 0 && !any(vapply(each, is.null, NA))) {
      return(unlist(each, use.names = FALSE))
    }
  }
  NULL
}

#' @rdname dp_unit
#' @export
format.dp_unit <- function(x, ...) {
  switch(x$kind,
    rows = count_of(x$count, "row"),
    changes = count_of(x$count, "replaced row"),
    id = paste0(
      if (x$count > 1) paste0(x$count, " "), if (replaces(x)) "replaced ",
      paste(x$id, collapse = " and ")
    )
  )
}

#' @rdname dp_unit
#' @export
print.dp_unit <- function(x, ...) {
  cat("<dp_unit> ", format(x), "\n", sep = "")
  invisible(x)
}

count_of <- function(n, what) paste0(n, " ", what, if (n != 1) "s")
