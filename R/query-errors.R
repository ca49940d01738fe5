# Errors of queries: a sentence with what must hold and what came, then a line with the call that
# would do. Neither is a template, since names of columns may have braces.
stop_query <- function(kind, sentence, hint = NULL, call = rlang::caller_env(), ...) {
  message <- paste0(sentence, if (!is.null(hint)) paste0("\ni ", hint))
  raise(message, kind, error_variants[[kind]], ..., call = call_of_verb(call))
}

# The bare call of a verb: `filter()`, where R calls `filter.dp_tbl()`.
call_of_verb <- function(call) {
  call <- bare_call(call)
  if (is.call(call) && is.symbol(call[[1]])) {
    verb <- sub("[.]dp_(tbl|query|private|plan)$", "", as.character(call[[1]]))
    call <- as.call(list(as.name(verb)))
  }
  call
}

quoted <- function(names) paste0("`", names, "`")

# "`a`, `b` and `c`"
listed <- function(names, last = "and") {
  names <- quoted(names)
  if (length(names) < 2) {
    return(names)
  }
  paste(toString(names[-length(names)]), last, names[[length(names)]])
}

# What stands in a call, without what may have been put there by `!!`: names of columns and of
# functions alone.
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
