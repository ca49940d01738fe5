#' Verbs of private tables
#'
#' The verbs of package dplyr, and two of tidyr, on a [dp_tbl()]. They compute nothing: each adds a
#' step to the query, which [summarise()][dp_aggregates] ends and [release()] runs. Each row is
#' looked at by itself; what would show rows, order them or mix them is refused, with the call that
#' does.
#'
#' @param .data,data,x,y (`dp_tbl`) `y` of a join is a public data frame.
#' @param ... As in dplyr: expressions, or columns.
#' @param .add,.before,.after As in dplyr.
#' @param .drop,.keep,.preserve As in dplyr. `.drop` and `.keep` take only their defaults;
#'   `.preserve` has no effect.
#' @param .by Columns: a bare name, or `c()` of names. It has no effect on `filter()` and
#'   `mutate()`, which look at one row at a time. [summarise()][dp_aggregates] groups by it.
#' @param replace (named `list`) For columns, the value of rows without one, as in tidyr. Public.
#' @param by Which columns of the table and of the public one must agree, as in dplyr.
#' @param copy (`logical(1)`) Has no effect: a join always copies `y`.
#' @param suffix,keep Not supported. `rename()` columns that both tables have.
#' @param na_matches (`character(1)`) `"never"`: a missing key matches nothing. You must write it if
#'   a key column of `y` has missing values, because the default of dplyr matches them.
#' @param multiple (`character(1)`) Which rows of `y` to use for each key: `"all"`, `"any"`,
#'   `"first"` or `"last"`. All but `"all"` leave one row for each key, so that a row of the private
#'   table stays one row.
#' @param unmatched (`character(1)`) `"drop"`. An error would depend on private rows.
#' @param relationship (`character(1)`) `"many-to-one"` raises an error if `y` has a key twice.
#'   `NULL` warns of such a key with `dp_warning_join`, unless `multiple` leaves one row for it,
#'   because a private row counts once for each of them. `"many-to-many"` checks nothing. Other
#'   values would depend on private rows.
#' @param wt Not supported. Use `weights` of [dp_count()][dp_aggregates].
#' @param sort (`logical(1)`) Whether [release()] puts the largest released counts first.
#' @param name (`character(1)`) Name of the count.
#' @returns (`dp_tbl`), or of `count()` and `tally()` a `dp_query`.
#' @section Expressions: Columns, constants, variables of the caller, `.data$x`, `.env$x`, `!!x`,
#'   and `==`, `!=`, `<`, `<=`, `>`, `>=`, `&`, `|`, `!`, `is.na()`, `coalesce()`, `if_else()`,
#'   `ifelse()`, `case_when()`, `case_match()`, `na_if()`, `%in%`, `between()`, `pmin()`, `pmax()`,
#'   `abs()`, `cut()` with public breaks, `round()`, `floor()`, `ceiling()`, `trunc()`,
#'   `as.integer()`, `as.numeric()`, `log()`, `log2()`, `log10()`, `log1p()`, `exp()`, `sqrt()`,
#'   `+`, `-`, `*`, `/`, `%/%`, `%%`, and the functions of dates and texts below. They
#'   have R's meaning, with missing values where R would stop. They are read as code: a function of
#'   the same name in the caller's workspace is not called. Variables become constants when the verb
#'   is called, and are public. Texts that are written in `if_else()`, `case_when()` and
#'   `coalesce()` are levels, as if [dp_levels()] had declared them: groups of them need no keys.
#'   A division by zero has no value (R has `Inf` or `NaN`), because a column has finite values
#'   only: `if_else(y == 0, 0, x / y)` gives such rows a value.
#'   An expression has at most 256 calls within each other, and 65536 parts. A constant, such as the
#'   right side of `%in%`, has at most 1000000 values, and so have the columns of a public table
#'   together.
#' @section Filters: `filter()` narrows what is declared. `filter(age >= 18)` moves the lower bound
#'   of `age` to 18, and `filter(g != "x")` takes the level `"x"` from `g`. Later steps, groups,
#'   noise and expected errors follow, so a group that no row can be in is not released. A condition
#'   narrows a column if it is about this column only. Columns of up to 16384 values take any such
#'   condition, others comparisons with constants. If no declared value of a column passes, you get
#'   an error. So you do if you compare a column with a level that it does not have, by `==`, `!=`,
#'   `%in%` or `case_match()`: the message names the level that is spelled most like it.
#' @section Dates: A date minus a date is a whole number of days. Its bounds follow from the
#'   bounds of both columns. A date plus or minus whole days is a date, and `difftime()` takes the
#'   units `"days"` and `"weeks"`. `floor_date()` has the units `"day"`, `"week"`, `"month"`,
#'   `"bimonth"`, `"quarter"`, `"halfyear"` and `"year"`. `cut()` has `"day"`, `"week"`, `"month"`,
#'   `"quarter"` and `"year"`, and gives dates, not a factor. Groups of such dates are public: a
#'   release has every period that the declared range reaches. `year()`, `quarter()`, `month()`,
#'   `day()`, `mday()`, `yday()`, `wday()`, `week()`, `isoweek()` and `isoyear()` are as in
#'   lubridate. Weeks start on Sunday in `floor_date()` and `wday()`, unless you give `week_start`
#'   or set the option `lubridate.week.start`. They start on Monday in `cut()`. Times of day cannot
#'   be declared, so `hour()` raises an error that says how to make the column.
#' @section Rounding: `round(x)` gives whole numbers, and ties go to the even one. `digits` must
#'   be a constant from -15 to 15. With negative digits, ties go to the even multiple of the power
#'   of ten. With positive digits, the result is the decimal that is nearer to `x`, compared as
#'   doubles; on a tie its last digit is even. This is the rule of R from 4.0.0 on. `log()`,
#'   `log2()`, `log10()`, `log1p()`, `exp()` and `sqrt()` are the package's code, so they have the
#'   same value on every machine. Their values are rounded to the public lattice of their bounds:
#'   multiples of a power of two that are fine enough for 51 bits. Bounds follow from the bounds of
#'   `x`. A logarithm has bounds only if `x` has a positive lower bound: write `log(pmax(x, 1))`.
#'   Engines do not compute these functions, and neither `round()` of reals with digits. The session
#'   then streams the rows, or raises an error before it charges if `execute = "push"`.
#' @section Texts: `tolower()`, `toupper()`, `trimws()`, `substr()` and `substring()` take columns
#'   that [dp_levels()] declares, and give levels. Groups of them need no keys. `tolower()` and
#'   `toupper()` change the letters A to Z only, and all other characters stay. `trimws()` removes
#'   spaces, tabs and line ends. `substr()` counts characters.
#' @section Missing values: `na_if(x, y)` raises an error if the declared range of `x` excludes
#'   the constant `y`, because it would never match. Declare such codes with `na = ` instead.
#' @section Verbs: `filter()`, `mutate()`, `transmute()`, `select()`, `rename()`, `relocate()`,
#'   `group_by()`, `ungroup()`, `across()` in `mutate()` and `summarise()`, `count()`, `tally()`;
#'   `drop_na()` and `replace_na()`, which are filters and mutations;
#'   `left_join()`, `inner_join()`, `semi_join()` and `anti_join()` with public tables, which are
#'   kept as they are at the time of the call.
#' @section Stability: Filters, mutations and selections look at each row by itself: 1, in rows as
#'   in people. A join makes at most as many rows of one as the public table has for a key; people
#'   stay as many. See [dp_truncate()] for what bounds the rows of a person.
#' @section Errors: `dp_error_domain` for a column that is not declared, and for a filter that no
#'   declared value passes; `dp_error_unsupported` for a function or verb that is refused, and for
#'   an expression that is too long; `dp_error_invalid_argument` for an argument that a verb does
#'   not have, or cannot honour, and for a new column with the name of a dplyr argument, such as
#'   `.groups`.
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

row_scope <- function(x, call) {
  fields <- parts_of(x)$fields
  is_date <- vapply(fields, function(field) field$type == "date", NA)
  new_scope(parts_of(x)$columns, call, dates = vapply(fields[is_date], `[[`, "", "name"))
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
      paste0(quoted(named[[1]]), " is no argument of `filter()`, and conditions have no names."),
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
      "`select()` drops some.", call, argument = ".keep"
    )
  }
  changed <- mutated(.data, rlang::enquos(...), call)
  added <- which(!names(changed) %in% names(.data))
  relocated(changed, added, rlang::enquo(.before), rlang::enquo(.after), call, last = TRUE)
}

# `.by` of a verb that looks at each row alone, in which it changes nothing: columns of the table,
# if this has no groups.
check_row_groups <- function(x, by, call) by_columns(x, by, ".by", call)

# The columns that `.by` names, of an ungrouped table; NULL if it was left out.
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

# Names that dplyr gives to arguments: a column of such a name, or of its beginning, is a mistake.
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
    paste0("`", taken[[1]], "` is no argument of ", verb, ", and no name for a column."),
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

# The columns at the places `moved` come before or after others, by default first or `last`. The
# order of columns means nothing to a query: they are only listed in another one.
relocated <- function(x, moved, before, after, call, last = FALSE) {
  rest <- setdiff(seq_along(names(x)), moved)
  place <- if (last) length(rest) else 0
  if (!rlang::quo_is_null(before) && !rlang::quo_is_null(after)) {
    stop_argument("left out where `.before` is given", "given", ".after", call)
  } else if (!rlang::quo_is_null(before)) {
    place <- sum(rest < min(chosen_columns(before, x, call)))
  } else if (!rlang::quo_is_null(after)) {
    place <- sum(rest <= max(chosen_columns(after, x, call)))
  }
  with_parts(x, columns = names(x)[append(rest, moved, place)])
}

# Columns `old` under the names `new`, others leave. What changes nothing is no step.
selected <- function(x, old, new, call) {
  check_new_columns(setdiff(new, old), call)
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
  or_else(expr, function(error) {
    missing <- if (is_string(error$i)) error$i else ""
    stop_query("domain", paste0("These columns cannot be selected: ", reason_of(error), "."),
      hint_for_column(missing, names(x), paste0("Declared: ", toString(names(x)), ".")), call
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
      "`.drop` must be TRUE: keys say which groups are released, those without rows among them.",
      "`dp_keys()` or `dp_levels()` say which there are.", call,
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

# Columns that a verb only looks for have no other names.
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
    stop_query("invalid_argument", "`wt` must be left out: a private sum needs bounds.",
      "`summarise(n = dp_count(weights = x))` sums a column of weights with declared bounds.", call,
      argument = "wt"
    )
  }
  check_new_columns(c(names(quos), name), call)
  x <- dplyr::group_by(x, !!!quos, .add = TRUE)
  query <- summarised(x, stats::setNames(rlang::quos(dp_count()), name %||% "n"), call)
  if (sort) with_parts(query, sorted_by = name %||% "n") else query
}

# nolint end

# `across(columns, functions)` as one expression for each column and function. A function is a name,
# a call `~ f(.x)` or `\(x) f(x)`, or a list() of such; nothing of it is run.
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

# Names are made of the code, which is looked at first.
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
