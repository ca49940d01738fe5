#' Verbs of private tables
#'
#' The verbs of package dplyr, and two of tidyr, on a [dp_tbl()]. They compute nothing: each adds a
#' step to the query, which [summarise()][dp_aggregates] ends and [release()] runs. Each row is
#' looked at by itself; what would show rows, order them or mix them is refused, with the call that
#' does.
#'
#' @param .data,data,x,y (`dp_tbl`) `y` of a join is a public data frame.
#' @param ... As in dplyr: expressions, or columns.
#' @param .add,.drop,.keep,.before,.after As in dplyr. `.drop` and `.keep` have their
#'   defaults only.
#' @param replace (named `list`) For columns, the value of rows without one, as in tidyr. Public.
#' @param by Which columns of the table and of the public one must agree, as in dplyr.
#' @param keep Not used. A missing key matches nothing.
#' @param wt,sort Not used. What is sorted comes after [release()].
#' @param name (`character(1)`) Name of the count.
#' @returns (`dp_tbl`), or of `count()` and `tally()` a `dp_query`.
#' @section Expressions: Columns, constants, variables of the caller, `.data$x`, `.env$x`, `!!x`,
#'   and `==`, `!=`, `<`, `<=`, `>`, `>=`, `&`, `|`, `!`, `is.na()`, `coalesce()`, `if_else()`,
#'   `ifelse()`, `case_when()`, `%in%`, `between()`, `pmin()`, `pmax()`, `abs()`, `cut()` with
#'   public breaks, `year()`, `month()` and `day()` of dates, `+`, `-`, `*`, `/`, `%/%`, `%%`. They
#'   have R's meaning, with missing values where R would stop. They are read as code: a function of
#'   the same name in the caller's workspace is not called. Variables become constants when the verb
#'   is called, and are public. Texts that are written in `if_else()`, `case_when()` and
#'   `coalesce()` are levels, as if [dp_levels()] had declared them: groups of them need no keys.
#' @section Verbs: `filter()`, `mutate()`, `transmute()`, `select()`, `rename()`, `relocate()`,
#'   `group_by()`, `ungroup()`, `across()` in `mutate()` and `summarise()`, `count()`, `tally()`;
#'   `drop_na()` and `replace_na()`, which are filters and mutations;
#'   `left_join()`, `inner_join()`, `semi_join()` and `anti_join()` with public tables, which are
#'   kept as they are at the time of the call.
#' @section Stability: Filters, mutations and selections look at each row by itself: 1, in rows as
#'   in people. A join makes at most as many rows of one as the public table has for a key; people
#'   stay as many. See [dp_truncate()] for what bounds the rows of a person.
#' @section Errors: `dp_error_domain` for a column that is not declared; `dp_error_unsupported` for
#'   a function or verb that is refused.
#' @seealso [dp_truncate()], [dp_per_unit()], [dp_keys()], [dp_aggregates]
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

# Methods of dplyr's generics have its names.
# nolint start: object_name_linter.

row_scope <- function(x, call) new_scope(parts_of(x)$columns, call)

#' @rdname dp_verbs
#' @exportS3Method dplyr::filter
filter.dp_tbl <- function(.data, ...) {
  call <- environment()
  conditions <- rlang::enquos(...)
  if (any(nzchar(names(conditions)))) {
    stop_query("unsupported", "Conditions have no names.", "Compare with `==`.", call)
  }
  for (condition in conditions) {
    predicate <- read_quo(condition, row_scope(.data, call))
    .data <- add_step(.data, list(step = "filter", predicate = predicate), call = call)
  }
  .data
}

#' @rdname dp_verbs
#' @exportS3Method dplyr::mutate
mutate.dp_tbl <- function(.data, ..., .keep = "all") {
  call <- environment()
  if (!identical(.keep, "all")) {
    stop_query("unsupported", "`mutate()` keeps all columns.", "`select()` drops some.", call)
  }
  mutated(.data, rlang::enquos(...), call)
}

mutated <- function(x, quos, call) {
  quos <- expand_across(quos, x, call)
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
  # The order of columns means nothing to a query: they are only listed in another one.
  before <- rlang::enquo(.before)
  after <- rlang::enquo(.after)
  moved <- chosen_columns(rlang::expr(c(...)), .data, environment(), environment())
  rest <- setdiff(seq_along(names(.data)), moved)
  place <- 0
  if (!rlang::quo_is_null(before)) {
    place <- sum(rest < min(chosen_columns(before, .data, environment())))
  } else if (!rlang::quo_is_null(after)) {
    place <- sum(rest <= max(chosen_columns(after, .data, environment())))
  }
  with_parts(.data, columns = names(.data)[append(rest, moved, place)])
}

# Columns `old` under the names `new`, others leave. What changes nothing is no step.
selected <- function(x, old, new, call) {
  if (anyDuplicated(new) > 0) {
    stop_query("unsupported", "Two columns would have the same name.", call = call)
  }
  if (setequal(old, names(x)) && identical(old, new)) {
    return(with_parts(x, columns = new))
  }
  groups <- new[match(parts_of(x)$groups, old)]
  step <- list(step = "select", columns = old, names = new)
  add_step(x, step, columns = new, groups = groups, call = call)
}

# Places of the columns that tidyselect's language means, by name. `env` has the dots of `expr`.
chosen_columns <- function(expr, x, call, env = rlang::empty_env()) {
  from_tidyselect(tidyselect::eval_select(expr, prototype_of(x), env), x, call)
}

renamed_columns <- function(expr, x, call, env) {
  from_tidyselect(tidyselect::eval_rename(expr, prototype_of(x), env), x, call)
}

from_tidyselect <- function(expr, x, call) {
  tryCatch(expr, error = function(error) {
    stop_query("domain", paste0("These columns cannot be selected: ", reason_of(error), "."),
      paste0("Declared: ", toString(names(x)), "."), call
    )
  })
}

# tidyselect's errors name columns and types: in their first line, or in the first bullet if they
# have one.
reason_of <- function(error) {
  lines <- strsplit(cli::ansi_strip(conditionMessage(error)), "\n", fixed = TRUE)[[1]]
  bullet <- "^[xi!*\u2716\u2139\u2022] "
  bullets <- grep(bullet, lines, value = TRUE)
  reason <- if (length(bullets) > 0) sub(bullet, "", bullets[[1]]) else lines[[1]]
  sub("[.]$", "", reason)
}

# Columns without a value, of the types of the fields: what `where()` looks at.
prototype_of <- function(x) {
  fields <- parts_of(x)$fields
  types <- vapply(fields, `[[`, "", "type")
  names(types) <- vapply(fields, `[[`, "", "name")
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
  if (!isTRUE(.drop)) {
    stop_query("unsupported", "Groups without rows are released if their keys are public.",
      "`dp_keys()` or `dp_levels()` say which there are.", call
    )
  }
  quos <- expand_across(rlang::enquos(..., .named = TRUE), .data, call)
  computed <- !vapply(seq_along(quos), function(i) {
    expr <- rlang::quo_get_expr(quos[[i]])
    is.symbol(expr) && identical(as.character(expr), names(quos)[[i]]) &&
      names(quos)[[i]] %in% names(.data)
  }, NA)
  .data <- mutated(.data, quos[computed], call)
  before <- if (.add) parts_of(.data)$groups
  with_parts(.data, groups = union(before, names(quos)))
}

#' @rdname dp_verbs
#' @exportS3Method dplyr::ungroup
ungroup.dp_tbl <- function(x, ...) {
  dropped <- names(x)
  if (...length() > 0) {
    dropped <- names(chosen_columns(rlang::expr(c(...)), x, environment(), environment()))
  }
  with_parts(x, groups = setdiff(parts_of(x)$groups, dropped))
}

#' @exportS3Method dplyr::group_vars
group_vars.dp_tbl <- function(x) parts_of(x)$groups

#' @exportS3Method dplyr::groups
groups.dp_tbl <- function(x) rlang::syms(parts_of(x)$groups)

#' @rdname dp_verbs
#' @exportS3Method dplyr::count
count.dp_tbl <- function(x, ..., wt = NULL, sort = FALSE, name = NULL) {
  counted(x, rlang::enquos(..., .named = TRUE), rlang::enquo(wt), sort, name, environment())
}

#' @rdname dp_verbs
#' @exportS3Method dplyr::tally
tally.dp_tbl <- function(x, wt = NULL, sort = FALSE, name = NULL) {
  counted(x, rlang::quos(), rlang::enquo(wt), sort, name, environment())
}

counted <- function(x, quos, wt, sort, name, call) {
  check_string(name, null = TRUE, arg = "name", call = call)
  if (!rlang::quo_is_null(wt)) {
    stop_query("unsupported", "`wt` is not supported.", "`summarise(n = dp_sum(wt))` is.", call)
  }
  if (!isFALSE(sort)) {
    stop_query("unsupported", "A query has no order.", "Sort what `release()` returns.", call)
  }
  x <- dplyr::group_by(x, !!!quos, .add = TRUE)
  summarised(x, stats::setNames(rlang::quos(dp_count()), name %||% "n"), call)
}

# nolint end

# `across(columns, functions)` as one expression for each column and function. A function is a name,
# a call `~ f(.x)` or `\(x) f(x)`, or a list() of such; nothing of it is run.
expand_across <- function(quos, x, call) {
  quos <- rlang::quos_auto_name(quos)
  expanded <- lapply(seq_along(quos), function(i) {
    expr <- rlang::quo_get_expr(quos[[i]])
    if (!identical(name_of_function(expr), "across")) {
      return(quos[i])
    }
    across_quos(expr, rlang::quo_get_env(quos[[i]]), x, call)
  })
  do.call(c, c(expanded, if (length(expanded) == 0) list(rlang::quos())))
}

across_quos <- function(expr, env, x, call) {
  args <- matched(expr, function(.cols, .fns, ..., .names) NULL, new_scope(names(x), call))
  if (is.null(args$.fns)) args$.fns <- quote(~.x)
  chosen <- chosen_columns(rlang::new_quosure(args$.cols %||% quote(everything()), env), x, call)
  functions <- across_functions(args$.fns)
  several <- any(nzchar(names(functions)))
  glue <- args$.names %||% if (several) "{.col}_{.fn}" else "{.col}"
  made <- list()
  for (name in names(x)[chosen]) {
    for (i in seq_along(functions)) {
      label <- names(functions)[[i]]
      if (!nzchar(label)) label <- as.character(i)
      new <- gsub("{.fn}", label, gsub("{.col}", name, glue, fixed = TRUE), fixed = TRUE)
      made[[new]] <- rlang::new_quosure(applied(functions[[i]], name, call), env)
    }
  }
  rlang::as_quosures(made, env)
}

across_functions <- function(fns) {
  functions <- if (identical(name_of_function(fns), "list")) as.list(fns)[-1] else list(fns)
  names(functions) <- names(functions) %||% rep("", length(functions))
  functions
}

# The call of a function, as code, for a column.
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
    stop_query("unsupported", "`across()` takes names of functions, or `~ f(.x)`.", call = call)
  }
}

is_namespaced <- function(f) is.call(f) && is.symbol(f[[1]]) && as.character(f[[1]]) == "::"

substituted <- function(expr, by) do.call(substitute, list(expr, by))
