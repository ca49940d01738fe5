# Verbs of package tidyr for rows without a value.

# Methods of tidyr's generics have its names.
# nolint start: object_name_linter.

#' @rdname dp_verbs
#' @exportS3Method tidyr::drop_na
drop_na.dp_tbl <- function(data, ...) {
  call <- environment()
  columns <- names(data)
  check_unnamed(...names(), call)
  if (...length() > 0) columns <- columns[chosen_columns(rlang::expr(c(...)), data, call, call)]
  for (name in columns) {
    is_there <- operation("!", operation("is.na", column(name)))
    data <- add_step(data, list(step = "filter", predicate = is_there), call = call)
  }
  data
}

#' @rdname dp_verbs
#' @exportS3Method tidyr::replace_na
replace_na.dp_tbl <- function(data, replace = list(), ...) {
  call <- environment()
  check_names(...)
  if (!is.list(replace) || length(names(replace)) != length(replace)) {
    stop_argument("a list of values, named by columns", describe(replace), "replace", call)
  }
  for (name in names(replace)) {
    scope <- row_scope(data, call)
    if (!name %in% scope$columns) stop_undeclared(name, scope)
    value <- operation("coalesce", column(name), literal(replace[[name]], scope))
    data <- add_step(data, list(step = "mutate", name = name, value = value), call = call)
  }
  data
}

# nolint end
