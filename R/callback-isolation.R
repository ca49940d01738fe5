# The environment that a user's function keeps.
#
# A function that is defined next to data would drag them into every file that it is saved to. It
# could also carry values from one call to the next. So it gets a new environment: copies of the
# variables that it names, and of those that functions among these variables name, recursively.
# Packages stay reachable, and so does the global environment for names that are resolved only when
# the function runs.

largest_captured <- 2^20 # bytes

# list(fun, environments): the function in its new environment, and the environments made for it. A
# `isolation` maps original environments to their copies, and remembers the call that errors name.
isolated <- function(f, arg, call) {
  isolation <- list2env(list(originals = list(), copies = list(), arg = arg, call = call))
  list(fun = isolated_value(f, NULL, isolation), environments = isolation$copies)
}

is_global <- function(env) identical(env, globalenv())

is_of_a_package <- function(env) is_shared(env) && !is_global(env)

is_shared <- function(env) is_global(env) || isNamespace(env) || environmentName(env) != ""

# The replacement of an environment. Package environments replace themselves.
surroundings_of <- function(env, isolation) {
  if (is_of_a_package(env)) {
    return(env)
  }
  for (i in seq_along(isolation$originals)) {
    if (identical(isolation$originals[[i]], env)) {
      return(isolation$copies[[i]])
    }
  }
  copy <- new.env(parent = if (is_global(env)) env else surroundings_of(parent.env(env), isolation))
  isolation$originals <- c(isolation$originals, env)
  isolation$copies <- c(isolation$copies, copy)
  copy
}

# The environment of code in `env` that names variables.
surroundings_with <- function(env, names, isolation) {
  for (name in names) take_variable(name, env, isolation)
  surroundings_of(env, isolation)
}

# Copies the variable that a function in `env` would find, unless a package defines it.
take_variable <- function(name, env, isolation) {
  while (!is_of_a_package(env)) {
    if (exists(name, env, inherits = FALSE)) {
      return(copy_binding(name, env, isolation))
    }
    if (is_global(env)) {
      return()
    }
    env <- parent.env(env)
  }
}

copy_binding <- function(name, env, isolation) {
  copy <- surroundings_of(env, isolation)
  if (exists(name, copy, inherits = FALSE)) {
    return()
  }
  if (name == "...") {
    values <- lapply(eval(quote(list(...)), env), isolated_value, name, isolation)
    assign(name, dots_of(values), copy)
  } else if (!rlang::is_missing(env[[name]])) {
    # The function can call itself recursively.
    assign(name, NULL, copy)
    assign(name, isolated_value(env[[name]], name, isolation), copy)
  }
}

# The `...` object of a function that was called with `values`.
dots_of <- function(values) {
  frame <- do.call(function(...) environment(), values, quote = TRUE)
  frame[["..."]]
}

# `name` is the name of the variable that holds `x`, NULL for the function itself.
isolated_value <- function(x, name, isolation) {
  if (is_framework_object(x) || inherits(x, "dpStatistic") || is.primitive(x)) {
    x
  } else if (is.environment(x)) {
    isolated_environment(x, isolation)
  } else if (is.function(x)) {
    isolated_function(x, name, isolation)
  } else {
    isolated_object(x, name, isolation)
  }
}

isolated_function <- function(f, name, isolation) {
  if (is_of_a_package(environment(f))) {
    return(f)
  }
  new <- surroundings_with(environment(f), names_used(f), isolation)
  f <- with_isolated_parts(utils::removeSource(f), name, isolation)
  environment(f) <- new
  f
}

# Copies a whole environment that is a value, such as a cache or an R6 object.
isolated_environment <- function(env, isolation) {
  if (is_shared(env)) {
    return(env)
  }
  copy <- surroundings_of(env, isolation)
  if (!is.null(attr(copy, "isolated"))) {
    return(copy)
  }
  attributes(copy) <- c(attributes(env), list(isolated = TRUE))
  for (name in ls(env, all.names = TRUE)) {
    copy_binding(name, env, isolation)
    if (bindingIsLocked(name, env)) lockBinding(name, copy)
  }
  copy
}

isolated_object <- function(x, name, isolation) {
  is_large <- is.data.frame(x) || utils::object.size(x) > largest_captured
  if (is_large) refuse_captured(x, name, isolation)
  if (is.list(x)) {
    described <- attributes(x)
    x <- lapply(unclass(x), isolated_value, name, isolation)
    attributes(x) <- described
  }
  x <- with_isolated_parts(x, name, isolation)
  # The environment of a formula.
  env <- attr(x, ".Environment", exact = TRUE)
  if (is.environment(env)) environment(x) <- surroundings_with(env, all.names(x), isolation)
  x
}

# Attributes can hold anything that elements can.
with_isolated_parts <- function(x, name, isolation) {
  parts <- attributes(x)
  held <- vapply(parts, function(part) is.recursive(part) && !is.language(part), NA)
  for (part in setdiff(names(parts)[held], ".Environment")) {
    attr(x, part) <- isolated_value(parts[[part]], name, isolation)
  }
  x
}

refuse_captured <- function(x, name, isolation) {
  arg <- isolation$arg
  what <- if (is.data.frame(x)) "a data frame" else "an object of more than 1 MiB"
  stop_dp(
    paste(
      "`{arg}` uses `{name}`, {what}, which would go wherever `{arg}` goes, also into files.",
      "If it is public, put the part that you need into the function, with `!!` in",
      "`rlang::inject()`, or let the function read it from a file."
    ),
    "invalid_argument",
    argument = arg, call = isolation$call
  )
}
