# Expands across() in verbs and summarise().

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
