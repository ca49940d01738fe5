# Errors of queries, see stop_with_hint().
stop_query <- function(kind, sentence, hint = NULL, call = rlang::caller_env(), ...) {
  stop_with_hint(kind, sentence, hint, call, ...)
}

# Describes a call by its function and column names only, because `!!` can insert private values.
label_of_call <- function(expr) {
  if (is.symbol(expr)) {
    return(as.character(expr))
  }
  name <- name_of_function(expr) %||% "this"
  if (!grepl("^[[:alpha:].]", name)) {
    return(name)
  }
  args <- as.list(expr)[-1]
  shown <- vapply(args, is.symbol, NA) & nzchar(vapply(args, as_shown, ""))
  paste0(name, "(", if (all(shown)) toString(vapply(args, as_shown, "")), ")")
}

as_shown <- function(x) if (is.symbol(x)) as.character(x) else ""
