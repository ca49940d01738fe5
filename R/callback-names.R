# Finds the variables that a function uses from outside.

# Variables that the function names but does not create. Variables that it changes in place, as in
# `x$a <- 1`, are included, unless they are arguments or were created in the function. So is `...`.
names_used <- function(f) {
  arguments <- names(formals(f))
  found <- Map(c, changes_in(formals(f), arguments), changes_in(body(f), arguments))
  # It warns about `...` that is not an argument of the function.
  named <- suppressWarnings(codetools::findGlobals(f))
  union(named, setdiff(found$changed, found$made))
}

no_changes <- list(made = character(), changed = character())

# list(made, changed): variables that code assigns as a whole, and variables that it assigns parts
# of, without arguments of the functions around it.
changes_in <- function(code, arguments) {
  if (identical(code, quote(...))) {
    return(list(made = character(), changed = setdiff("...", arguments)))
  }
  if (!is.call(code) && !is.pairlist(code)) {
    return(no_changes)
  }
  if (rlang::is_call(code, "function")) arguments <- c(arguments, names(code[[2]]))
  found <- change_by(code, arguments)
  for (part in as.list(code)) {
    if (!rlang::is_missing(part)) found <- Map(c, found, changes_in(part, arguments))
  }
  found
}

change_by <- function(code, arguments) {
  if (!rlang::is_call(code, c("<-", "=", "<<-"), n = 2)) {
    return(no_changes)
  }
  target <- code[[2]]
  if (!is.call(target)) {
    return(list(made = as.character(target), changed = character()))
  }
  while (is.call(target) && length(target) > 1) target <- target[[2]]
  changed <- if (is.symbol(target)) setdiff(as.character(target), arguments)
  list(made = character(), changed = as.character(changed))
}
