#' Verbs of private tables
#'
#' Use dplyr verbs, and two verbs of tidyr, to query a [dp_tbl()]. A verb reads no data: it adds a
#' step to the query. [summarise()][dp_aggregates] ends the query, and [release()] runs it. Verbs
#' act on each row independently. Verbs that would show, order or combine rows raise an error that
#' suggests an alternative.
#'
#' @param .data,data,x,y (`dp_tbl`) Private table. The `y` of a join is a public data frame.
#' @param ... Columns or expressions, see [dp_expressions].
#' @param .add,.before,.after As in dplyr.
#' @param .drop,.keep,.preserve Keep the defaults of `.drop` and `.keep`. `.preserve` has no effect.
#' @param .by Columns: a bare name, or `c()` of names. `filter()` and `mutate()` ignore `.by`,
#'   because they act on single rows. [summarise()][dp_aggregates] groups by it.
#' @param replace (named `list`) Values that replace missing values, by column. Public.
#' @param by Key columns of a join, as in dplyr.
#' @param copy (`logical(1)`) Has no effect: a join always copies `y`.
#' @param suffix,keep Not supported. If both tables have a column, `rename()` it in one of them.
#' @param na_matches (`character(1)`) `"never"`: a missing key matches no row. The default of dplyr
#'   matches missing keys. So you must write `"never"` if a key column of `y` has missing values.
#' @param multiple (`character(1)`) Rows of `y` to use for each key: `"all"`, `"any"`, `"first"` or
#'   `"last"`. Only `"all"` can turn one private row into several.
#' @param unmatched (`character(1)`) Only `"drop"`: an error would depend on private rows.
#' @param relationship (`character(1)`) `"many-to-one"` raises an error if `y` has a key twice.
#'   `NULL` warns of such a key with `dp_warning_join`, unless `multiple` keeps one row for it.
#'   `"many-to-many"` checks nothing. Other values would depend on private rows.
#' @param wt Not supported. Use the `weights` of [dp_count()][dp_aggregates].
#' @param sort (`logical(1)`) Whether [release()] sorts the released counts in decreasing order.
#' @param name (`character(1)`) Column name of the count.
#' @returns A `dp_tbl`. `count()` and `tally()` return a `dp_query`.
#' @section Verbs: `filter()`, `mutate()`, `transmute()`, `select()`, `rename()`, `relocate()`,
#'   `group_by()`, `ungroup()`, `count()`, `tally()`, `drop_na()` and `replace_na()`. `across()`
#'   works in `mutate()` and `summarise()`. `left_join()`, `inner_join()`, `semi_join()` and
#'   `anti_join()` join a public table. They copy it when you call them.
#' @section Filters: `filter()` narrows the declarations. After `filter(age >= 18)`, the lower bound
#'   of `age` is 18. After `filter(g != "x")`, `g` no longer has the level `"x"`. Later steps,
#'   groups, noise and expected errors use the narrower declarations. So a release leaves out groups
#'   that no row can be in. A condition narrows a column if it uses no other column. If the column
#'   has at most 16384 values, the condition can have any form. Otherwise it must compare the column
#'   with constants. A filter that excludes every declared value raises an error. So does a
#'   condition that the declaration rules out, see [dp_expressions].
#' @section Stability: Filters, mutations and selections have stability 1, in rows and in people. A
#'   join with `multiple = "all"` turns one row into at most `k` rows, if `y` has each key at most
#'   `k` times. The number of people does not grow. [dp_truncate()] bounds the rows of a person.
#' @section Errors: `dp_error_domain` for an undeclared column, and for a condition that excludes
#'   every declared value. `dp_error_unsupported` for functions and verbs that are not supported,
#'   and for expressions that are too long. `dp_error_invalid_argument` for an invalid argument, and
#'   for a new column with the name of a dplyr argument, such as `.groups`.
#' @seealso [dp_expressions], [dp_truncate()], [dp_per_unit()], [dp_keys()], [dp_aggregates]
#' @template ref-mcsherry-2009
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' library(dplyr, warn.conflicts = FALSE)
#' people <- dp_tbl(dp_session(dp_epsilon(1)), PUMS5extract10000,
#'   unit = dp_unit(rows = 1),
#'   domain = dp_domain(age = dp_int(18, 93), educ = dp_int(1, 16))
#' )
#' people |>
#'   filter(educ >= 9) |>
#'   mutate(decade = pmin(age %/% 10L, 8L)) |>
#'   count(decade) |>
#'   dp_keys(data.frame(decade = 1:8)) |>
#'   release(epsilon = 0.1)
#' @name dp_verbs
NULL

# dplyr chooses the names of these methods.

# nolint start: object_name_linter.
row_scope <- function(x, call) {
  fields <- tbl_data(x)$fields
  is_date <- vapply(fields, function(field) field$type == "date", NA)
  new_scope(tbl_data(x)$columns, call,
    dates = vapply(fields[is_date], `[[`, "", "name"), ids = tbl_data(x)$unit$id
  )
}

#' @rdname dp_verbs
#' @exportS3Method dplyr::filter
filter.dp_tbl <- function(.data, ..., .by = NULL, .preserve = FALSE) {
  call <- environment()
  check_row_groups(.data, rlang::enquo(.by), call)
  check_flag(.preserve)
  conditions <- rlang::enquos(...)
  named <- Filter(nzchar, names(conditions))
  if (length(named) > 0) {
    stop_query("invalid_argument",
      paste0(quoted(named[[1]]), " is not an argument of `filter()`. Conditions have no names."),
      "Compare with `==`.", call,
      argument = named[[1]]
    )
  }
  for (condition in conditions) {
    predicate <- read_quo(condition, row_scope(.data, call))
    .data <- add_step(.data, list(step = "filter", predicate = predicate), call = call)
  }
  .data
}

#' @rdname dp_verbs
#' @exportS3Method dplyr::mutate
mutate.dp_tbl <- function(.data, ..., .by = NULL, .keep = "all", .before = NULL, .after = NULL) {
  call <- environment()
  check_row_groups(.data, rlang::enquo(.by), call)
  if (!identical(.keep, "all")) {
    stop_query("invalid_argument", "`.keep` must be \"all\": `mutate()` keeps all columns.",
      "Drop columns with `select()`.", call, argument = ".keep"
    )
  }
  changed <- mutated(.data, rlang::enquos(...), call)
  added <- which(!names(changed) %in% names(.data))
  relocated(changed, added, rlang::enquo(.before), rlang::enquo(.after), call, last = TRUE)
}

# Checks a `.by` that has no effect: it must name columns of an ungrouped table.
check_row_groups <- function(x, by, call) by_columns(x, by, ".by", call)

# The columns in `.by` of an ungrouped table. NULL if omitted.
by_columns <- function(x, quo, arg, call) {
  by <- names_in_quo(quo, arg, call)
  if (is.null(by)) {
    return(NULL)
  }
  if (length(tbl_data(x)$groups) > 0) {
    stop_argument("left out of a grouped table", "given", arg, call)
  }
  absent <- setdiff(by, names(x))
  if (length(absent) > 0) stop_undeclared(absent[[1]], new_scope(names(x), call))
  by
}

# Argument names of dplyr. A new column with such a name, or its beginning, is probably a mistake.
verb_arguments <- c(
  ".add", ".after", ".before", ".by", ".by_group", ".data", ".dots", ".drop", ".groups",
  ".keep", ".keep_all", ".preserve"
)

check_new_columns <- function(names, call) {
  begins <- vapply(names, function(name) any(startsWith(verb_arguments, name)), NA)
  taken <- names[begins & startsWith(names, ".") & nchar(names) > 1]
  if (length(taken) == 0) {
    return(invisible())
  }
  verb <- call_of_verb(call)
  verb <- if (is.null(verb)) "this verb" else quoted(deparse1(verb))
  stop_query("invalid_argument",
    paste0("`", taken[[1]], "` is not an argument of ", verb, ", and cannot be a column name."),
    paste0("dplyr has the arguments ", listed(verb_arguments), "."), call,
    argument = taken[[1]]
  )
}

mutated <- function(x, quos, call) {
  quos <- expand_across(quos, x, call)
  check_new_columns(names(quos), call)
  for (i in seq_along(quos)) {
    name <- names(quos)[[i]]
    if (rlang::quo_is_null(quos[[i]])) {
      x <- selected(x, setdiff(names(x), name), setdiff(names(x), name), call)
      next
    }
    value <- read_quo(quos[[i]], row_scope(x, call))
    x <- add_step(x, list(step = "mutate", name = name, value = value),
      columns = union(names(x), name), call = call
    )
  }
  x
}

#' @rdname dp_verbs
#' @exportS3Method dplyr::transmute
transmute.dp_tbl <- function(.data, ...) {
  call <- environment()
  quos <- expand_across(rlang::enquos(...), .data, call)
  kept <- union(tbl_data(.data)$groups, names(quos))
  .data <- mutated(.data, quos, call)
  selected(.data, kept, kept, call)
}
# nolint end
