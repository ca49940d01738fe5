# The environment that a user's function keeps.
#
# A function that is defined next to data would drag them into every file that it is saved to. It
# could also carry values from one call to the next. So it gets a new environment: copies of the
# variables that it names, and of those that functions among these variables name, recursively.
# Packages stay reachable, and so does the global environment for names that are resolved only when
# the function runs.

largest_captured <- 2^20 # bytes

# list(fun, environments): the function in its new environment, and the environments made for it. A
# seal maps original environments to their copies, and remembers the call that errors name.
sealed <- function(f, arg, call) {
  seal <- list2env(list(originals = list(), copies = list(), arg = arg, call = call))
  list(fun = sealed_value(f, NULL, seal), environments = seal$copies)
}

is_global <- function(env) identical(env, globalenv())

is_of_a_package <- function(env) is_shared(env) && !is_global(env)

is_shared <- function(env) is_global(env) || isNamespace(env) || environmentName(env) != ""

# The replacement of an environment. Package environments replace themselves.
surroundings_of <- function(env, seal) {
  if (is_of_a_package(env)) {
    return(env)
  }
  for (i in seq_along(seal$originals)) {
    if (identical(seal$originals[[i]], env)) {
      return(seal$copies[[i]])
    }
  }
  copy <- new.env(parent = if (is_global(env)) env else surroundings_of(parent.env(env), seal))
  seal$originals <- c(seal$originals, env)
  seal$copies <- c(seal$copies, copy)
  copy
}

# The environment of code in `env` that names variables.
surroundings_with <- function(env, names, seal) {
  for (name in names) take_variable(name, env, seal)
  surroundings_of(env, seal)
}

# Copies the variable that a function in `env` would find, unless a package defines it.
take_variable <- function(name, env, seal) {
  while (!is_of_a_package(env)) {
    if (exists(name, env, inherits = FALSE)) {
      return(copy_binding(name, env, seal))
    }
    if (is_global(env)) {
      return()
    }
    env <- parent.env(env)
  }
}

copy_binding <- function(name, env, seal) {
  copy <- surroundings_of(env, seal)
  if (exists(name, copy, inherits = FALSE)) {
    return()
  }
  if (name == "...") {
    values <- lapply(eval(quote(list(...)), env), sealed_value, name, seal)
    assign(name, dots_of(values), copy)
  } else if (!rlang::is_missing(env[[name]])) {
    # The function can call itself recursively.
    assign(name, NULL, copy)
    assign(name, sealed_value(env[[name]], name, seal), copy)
  }
}

# The `...` object of a function that was called with `values`.
dots_of <- function(values) {
  frame <- do.call(function(...) environment(), values, quote = TRUE)
  frame[["..."]]
}

# `name` is the name of the variable that holds `x`, NULL for the function itself.
sealed_value <- function(x, name, seal) {
  if (is_framework_object(x) || inherits(x, "dpStatistic") || is.primitive(x)) {
    x
  } else if (is.environment(x)) {
    sealed_environment(x, seal)
  } else if (is.function(x)) {
    sealed_function(x, name, seal)
  } else {
    sealed_object(x, name, seal)
  }
}

sealed_function <- function(f, name, seal) {
  if (is_of_a_package(environment(f))) {
    return(f)
  }
  new <- surroundings_with(environment(f), names_used(f), seal)
  f <- with_sealed_parts(utils::removeSource(f), name, seal)
  environment(f) <- new
  f
}

# Copies a whole environment that is a value, such as a cache or an R6 object.
sealed_environment <- function(env, seal) {
  if (is_shared(env)) {
    return(env)
  }
  copy <- surroundings_of(env, seal)
  if (!is.null(attr(copy, "sealed"))) {
    return(copy)
  }
  attributes(copy) <- c(attributes(env), list(sealed = TRUE))
  for (name in ls(env, all.names = TRUE)) {
    copy_binding(name, env, seal)
    if (bindingIsLocked(name, env)) lockBinding(name, copy)
  }
  copy
}

sealed_object <- function(x, name, seal) {
  if (is.data.frame(x) || utils::object.size(x) > largest_captured) refuse_captured(x, name, seal)
  if (is.list(x)) {
    described <- attributes(x)
    x <- lapply(unclass(x), sealed_value, name, seal)
    attributes(x) <- described
  }
  x <- with_sealed_parts(x, name, seal)
  # The environment of a formula.
  env <- attr(x, ".Environment", exact = TRUE)
  if (is.environment(env)) environment(x) <- surroundings_with(env, all.names(x), seal)
  x
}

# Attributes can hold anything that elements can.
with_sealed_parts <- function(x, name, seal) {
  parts <- attributes(x)
  held <- vapply(parts, function(part) is.recursive(part) && !is.language(part), NA)
  for (part in setdiff(names(parts)[held], ".Environment")) {
    attr(x, part) <- sealed_value(parts[[part]], name, seal)
  }
  x
}

refuse_captured <- function(x, name, seal) {
  arg <- seal$arg
  what <- if (is.data.frame(x)) "a data frame" else "an object of more than 1 MiB"
  stop_dp(
    paste(
      "`{arg}` uses `{name}`, {what}, which would go wherever `{arg}` goes, also into files.",
      "If it is public, put the part that you need into the function, with `!!` in",
      "`rlang::inject()`, or let the function read it from a file."
    ),
    "invalid_argument",
    argument = arg, call = seal$call
  )
}
