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
  fields <- parts_of(x)$fields
  is_date <- vapply(fields, function(field) field$type == "date", NA)
  new_scope(parts_of(x)$columns, call,
    dates = vapply(fields[is_date], `[[`, "", "name"), ids = parts_of(x)$unit$id
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
  if (length(parts_of(x)$groups) > 0) {
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
  kept <- union(parts_of(.data)$groups, names(quos))
  .data <- mutated(.data, quos, call)
  selected(.data, kept, kept, call)
}

#' @rdname dp_verbs
#' @exportS3Method dplyr::select
select.dp_tbl <- function(.data, ...) {
  call <- environment()
  chosen <- chosen_columns(rlang::expr(c(...)), .data, call, call)
  old <- names(.data)[chosen]
  groups <- setdiff(parts_of(.data)$groups, old)
  if (length(groups) > 0) {
    rlang::inform(paste0("Adding missing grouping variables: ", toString(quoted(groups))))
  }
  selected(.data, c(groups, old), c(groups, names(chosen)), call)
}

#' @rdname dp_verbs
#' @exportS3Method dplyr::rename
rename.dp_tbl <- function(.data, ...) {
  call <- environment()
  chosen <- renamed_columns(rlang::expr(c(...)), .data, call, call)
  new <- names(.data)
  new[chosen] <- names(chosen)
  selected(.data, names(.data), new, call)
}

#' @rdname dp_verbs
#' @exportS3Method dplyr::relocate
relocate.dp_tbl <- function(.data, ..., .before = NULL, .after = NULL) {
  call <- environment()
  moved <- chosen_columns(rlang::expr(c(...)), .data, call, call)
  old <- names(.data)[moved]
  .data <- relocated(.data, moved, rlang::enquo(.before), rlang::enquo(.after), call)
  new <- replace(names(.data), match(old, names(.data)), names(moved))
  selected(.data, names(.data), new, call)
}

# Moves the columns at positions `moved` before or after others, by default to the front, or to the
# back if `last`. The order of columns affects only printing.
relocated <- function(x, moved, before, after, call, last = FALSE) {
  rest <- setdiff(seq_along(names(x)), moved)
  place <- if (last) length(rest) else 0
  if (!rlang::quo_is_null(before) && !rlang::quo_is_null(after)) {
    stop_argument("left out if `.before` is given", "given", ".after", call)
  } else if (!rlang::quo_is_null(before)) {
    place <- sum(rest < min(chosen_columns(before, x, call)))
  } else if (!rlang::quo_is_null(after)) {
    place <- sum(rest <= max(chosen_columns(after, x, call)))
  }
  with_parts(x, columns = names(x)[append(rest, moved, place)])
}

# Keeps the columns `old` under the names `new`. Adds no step if nothing changes.
selected <- function(x, old, new, call) {
  check_new_columns(setdiff(new, old), call)
  if (anyDuplicated(new) > 0) {
    stop_query("unsupported", "Two columns would have the same name.", call = call)
  }
  if (setequal(old, names(x)) && identical(old, new)) {
    return(with_parts(x, columns = new))
  }
  check_ids_stay(x, old, new, call)
  groups <- new[match(parts_of(x)$groups, old)]
  step <- list(step = "select", columns = old, names = new)
  add_step(x, step, columns = new, groups = groups, call = call)
}

# A query needs its id columns until a step limits the rows of each person.
check_ids_stay <- function(x, old, new, call) {
  table <- parts_of(x)
  ids <- table$unit$id
  renamed <- intersect(ids, old[old != new])
  if (length(renamed) > 0) {
    stop_query("unsupported",
      paste0(listed(renamed), " identifies people, so it cannot be renamed."),
      "Rename the column in the data, before `dp_tbl()`.", call
    )
  }
  lost <- setdiff(ids, old)
  is_limited <- vapply(table$steps, function(step) step$step %in% c("truncate", "per_unit"), NA)
  if (length(lost) > 0 && !any(is_limited)) {
    keep <- if (all(lost %in% names(x))) "keep it." else "declare it in `dp_domain()`."
    stop_query("unsupported",
      paste0("This verb would drop ", listed(lost), ", which identifies people."),
      paste("Write `dp_truncate()` or `dp_per_unit()` first, or", keep), call
    )
  }
}

# Positions of the columns that a tidyselect expression selects, by name. `env` has its dots.
chosen_columns <- function(expr, x, call, env = rlang::empty_env()) {
  from_tidyselect(tidyselect::eval_select(expr, prototype_of(x), env), x, call)
}

renamed_columns <- function(expr, x, call, env) {
  from_tidyselect(tidyselect::eval_rename(expr, prototype_of(x), env), x, call)
}

from_tidyselect <- function(expr, x, call) {
  or_else(expr, function(error) {
    missing <- if (is_string(error$i)) error$i else ""
    if (missing %in% parts_of(x)$unit$id) {
      stop_query("domain", paste0(quoted(missing), " is not declared, so it cannot be selected."),
        "Declare it in `dp_domain()`, with its own name.", call
      )
    }
    stop_query("domain", paste0("These columns cannot be selected: ", reason_of(error), "."),
      hint_for_column(missing, names(x), paste0("Declared: ", toString(names(x)), ".")), call
    )
  })
}

# The reason in a tidyselect error, which contains only column names and types. It is the first
# line, or the first bullet if there is one.
reason_of <- function(error) {
  lines <- strsplit(cli::ansi_strip(conditionMessage(error)), "\n", fixed = TRUE)[[1]]
  bullet <- "^[xi!*\u2716\u2139\u2022] "
  bullets <- grep(bullet, lines, value = TRUE)
  reason <- if (length(bullets) > 0) sub(bullet, "", bullets[[1]]) else lines[[1]]
  sub("[.]$", "", reason)
}

# Empty columns of the right types, for `where()`.
prototype_of <- function(x) {
  fields <- parts_of(x)$fields
  types <- vapply(fields, `[[`, "", "type")
  columns <- lapply(types[names(x)], function(type) {
    switch(type,
      logical = logical(), integer = integer(), real = double(), text = character(),
      levels = factor(character()), date = as.Date(double(), "1970-01-01"), logical()
    )
  })
  structure(stats::setNames(columns, names(x)), row.names = integer(), class = "data.frame")
}

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
  before <- if (.add) parts_of(.data)$groups
  with_parts(.data, groups = union(before, names(quos)))
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
  with_parts(x, groups = setdiff(parts_of(x)$groups, dropped))
}

# Selected columns cannot be renamed here.
check_unnamed <- function(names, call) {
  named <- setdiff(names, c("", NA))
  if (length(named) > 0) stop_unknown(named[[1]], character(), call = call_of_verb(call))
}

#' @exportS3Method dplyr::group_vars
group_vars.dp_tbl <- function(x) parts_of(x)$groups

#' @exportS3Method dplyr::groups
groups.dp_tbl <- function(x) rlang::syms(parts_of(x)$groups)

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
  if (sort) with_parts(query, sorted_by = name %||% "n") else query
}

# nolint end

# Expands `across(columns, functions)` to one expression per column and function. A function is a
# name, `~ f(.x)`, `\(x) f(x)`, or a list() of these. None of them is run.
expand_across <- function(quos, x, call) {
  quos <- named_quos(quos, call)
  expanded <- lapply(seq_along(quos), function(i) {
    expr <- rlang::quo_get_expr(quos[[i]])
    if (!identical(name_of_function(expr), "across")) {
      return(quos[i])
    }
    across_quos(expr, rlang::quo_get_env(quos[[i]]), x, call)
  })
  do.call(c, c(expanded, if (length(expanded) == 0) list(rlang::quos())))
}

# Checks the code first, because names are made from it.
named_quos <- function(quos, call) {
  for (quo in quos) check_code(rlang::quo_get_expr(quo), call)
  rlang::quos_auto_name(quos)
}

across_quos <- function(expr, env, x, call) {
  args <- matched(expr, function(.cols, .fns, .names) NULL, new_scope(names(x), call))
  if (is.null(args$.fns)) args$.fns <- quote(~.x)
  chosen <- chosen_columns(rlang::new_quosure(args$.cols %||% quote(everything()), env), x, call)
  functions <- across_functions(args$.fns)
  several <- any(nzchar(names(functions)))
  glue <- args$.names %||% if (several) "{.col}_{.fn}" else "{.col}"
  labels <- names(functions)
  labels[!nzchar(labels)] <- seq_along(functions)[!nzchar(labels)]
  pairs <- expand.grid(fun = seq_along(functions), column = names(x)[chosen],
    stringsAsFactors = FALSE
  )
  made <- Map(function(fun, column) {
    rlang::new_quosure(applied(functions[[fun]], column, call), env)
  }, pairs$fun, pairs$column)
  names(made) <- unlist(Map(function(fun, column) {
    gsub("{.fn}", labels[[fun]], gsub("{.col}", column, glue, fixed = TRUE), fixed = TRUE)
  }, pairs$fun, pairs$column))
  rlang::as_quosures(made, env)
}

across_functions <- function(fns) {
  functions <- if (identical(name_of_function(fns), "list")) as.list(fns)[-1] else list(fns)
  names(functions) <- names(functions) %||% rep("", length(functions))
  functions
}

# The code that applies a function to a column.
applied <- function(f, name, call) {
  column <- as.name(name)
  head <- name_of_function(f)
  if (is.symbol(f) || isTRUE(head == "::") || is_namespaced(f)) {
    as.call(list(f, column))
  } else if (identical(head, "~") && length(f) == 2) {
    substituted(f[[2]], list(.x = column, . = column))
  } else if (identical(head, "function") && length(f[[2]]) == 1) {
    substituted(f[[3]], stats::setNames(list(column), names(f[[2]])))
  } else {
    stop_query("unsupported", "`across()` needs function names, or `~ f(.x)`.", call = call)
  }
}

is_namespaced <- function(f) is.call(f) && is.symbol(f[[1]]) && as.character(f[[1]]) == "::"

substituted <- function(expr, by) do.call(substitute, list(expr, by))
