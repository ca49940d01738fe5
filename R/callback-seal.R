# What a function of the user's keeps of its surroundings.
#
# A function that is made where data are in reach would take them along into every file that it is
# saved to, and might carry what it saw from one call to the next. So it gets surroundings of its
# own: copies of the variables that it names, of those that the functions among these name, and so
# on. Packages are reached as ever, and so is the global environment, for what is only named when
# the function runs.

largest_captured <- 2^20 # bytes

# list(fun, environments): the function in its new surroundings, and these.
sealed <- function(f, arg, call) {
  seal <- new_seal(arg, call)
  list(fun = seal$value(f, NULL), environments = seal$environments())
}

new_seal <- function(arg, call) {
  originals <- list()
  copies <- list()

  # What stands for an environment: itself, if it is a package's.
  surroundings <- function(env) {
    if (is_shared(env) && !identical(env, globalenv())) {
      return(env)
    }
    for (i in seq_along(originals)) {
      if (identical(originals[[i]], env)) {
        return(copies[[i]])
      }
    }
    parent <- if (identical(env, globalenv())) env else surroundings(parent.env(env))
    copy <- new.env(parent = parent)
    originals <<- c(originals, env)
    copies <<- c(copies, copy)
    copy
  }

  # Copies a variable from where a function in `env` would find it, unless that is in a package.
  take <- function(name, env) {
    while (!is_shared(env) || identical(env, globalenv())) {
      if (exists(name, env, inherits = FALSE)) {
        return(copy_binding(name, env))
      }
      if (identical(env, globalenv())) {
        return()
      }
      env <- parent.env(env)
    }
  }

  copy_binding <- function(name, env) {
    copy <- surroundings(env)
    if (exists(name, copy, inherits = FALSE)) {
      return()
    }
    if (name == "...") {
      assign(name, dots_of(lapply(eval(quote(list(...)), env), value, name)), copy)
    } else if (!rlang::is_missing(env[[name]])) {
      # The function may name itself.
      assign(name, NULL, copy)
      assign(name, value(env[[name]], name), copy)
    }
  }

  # A copy of an environment as a whole, for one that is a value: a cache, an object of R6.
  whole <- function(env) {
    if (is_shared(env)) {
      return(env)
    }
    copy <- surroundings(env)
    if (!is.null(attr(copy, "sealed"))) {
      return(copy)
    }
    attributes(copy) <- c(attributes(env), list(sealed = TRUE))
    for (name in ls(env, all.names = TRUE)) {
      copy_binding(name, env)
      if (bindingIsLocked(name, env)) lockBinding(name, copy)
    }
    copy
  }

  # The surroundings of code in `env` that names variables.
  around <- function(env, names) {
    for (name in names) take(name, env)
    surroundings(env)
  }

  value <- function(x, name) {
    if (is_framework_object(x) || inherits(x, "dpStatistic") || is.primitive(x)) {
      return(x)
    }
    if (is.environment(x)) {
      return(whole(x))
    }
    if (is.function(x)) {
      if (is_shared(environment(x)) && !identical(environment(x), globalenv())) {
        return(x)
      }
      return(function_sealed(x, name))
    }
    if (is.data.frame(x) || utils::object.size(x) > largest_captured) {
      refuse_captured(x, name, arg, call)
    }
    if (is.list(x)) {
      described <- attributes(x)
      x <- lapply(unclass(x), value, name)
      attributes(x) <- described
    }
    x <- parts_sealed(x, name)
    env <- attr(x, ".Environment", exact = TRUE)
    if (is.environment(env)) attr(x, ".Environment") <- around(env, all.names(x))
    x
  }

  function_sealed <- function(f, name) {
    new <- around(environment(f), names_used(f))
    f <- parts_sealed(utils::removeSource(f), name)
    environment(f) <- new
    f
  }

  # Attributes may hold what elements may.
  parts_sealed <- function(x, name) {
    parts <- attributes(x)
    held <- vapply(parts, function(part) is.recursive(part) && !is.language(part), NA)
    for (part in setdiff(names(parts)[held], ".Environment")) {
      attr(x, part) <- value(parts[[part]], name)
    }
    x
  }

  list(value = value, environments = function() copies)
}

# The variables that a function finds outside of it. Those that it changes in place, as in
# `x$a <- 1`, are found there, too, unless they are arguments or were made in the function; and so
# is `...`.
names_used <- function(f) {
  made <- character()
  changed <- character()
  visit <- function(code, arguments) {
    if (identical(code, quote(...))) changed <<- c(changed, setdiff("...", arguments))
    if (is.pairlist(code)) code <- as.list(code)
    if (is.call(code) && is.symbol(code[[1]])) {
      head <- as.character(code[[1]])
      if (head == "function") arguments <- c(arguments, names(code[[2]]))
      if (head %in% c("<-", "=", "<<-") && length(code) == 3) note_target(code[[2]], arguments)
    }
    if (is.call(code) || is.list(code)) {
      for (part in as.list(code)) if (!rlang::is_missing(part)) visit(part, arguments)
    }
  }
  note_target <- function(target, arguments) {
    if (!is.call(target)) {
      made <<- c(made, as.character(target))
      return()
    }
    while (is.call(target) && length(target) > 1) target <- target[[2]]
    if (is.symbol(target)) changed <<- c(changed, setdiff(as.character(target), arguments))
  }
  visit(formals(f), names(formals(f)))
  visit(body(f), names(formals(f)))
  # It warns of `...` that are no argument of the function.
  union(suppressWarnings(codetools::findGlobals(f)), setdiff(changed, made))
}

# What `...` is in a function that was called with `values`.
dots_of <- function(values) {
  frame <- do.call(function(...) environment(), values, quote = TRUE)
  frame[["..."]]
}

is_shared <- function(env) {
  identical(env, globalenv()) || isNamespace(env) || environmentName(env) != ""
}

refuse_captured <- function(x, name, arg, call) {
  what <- if (is.data.frame(x)) "a data frame" else "an object of more than 1 MiB"
  stop_dp(
    paste(
      "`{arg}` uses `{name}`, {what}, which would go wherever `{arg}` goes, also into files.",
      "If it is public, put what is needed of it into the function, with `!!` in",
      "`rlang::inject()`, or let the function read it from a file."
    ),
    "invalid_argument",
    argument = arg, call = call
  )
}
