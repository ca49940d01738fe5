# The boundary around every user function that can see private data.
#
# A function is isolated when you pass it: it keeps copies of the variables that it names, and
# nothing else of its environment. While it runs, it cannot reach the caller's handlers or
# restarts, its output is suppressed, and its changes are undone (callback-state.R). `read`
# converts the result inside the boundary, because the result can have methods. A hostile function
# in the same process can get around this, as documented.

# The core's form of a user's function, which it passes to the functions of this file: the isolated
# function, and the environments where it can assign. Without isolation, this is the original
# function, and nothing is restored.
new_callback <- function(f, arg = rlang::caller_arg(f), call = rlang::caller_env(),
                         isolation = "hermetic") {
  check_function(f, arg = arg, call = call)
  if (isolation == "none") {
    return(list(fun = f, environments = list(), hermetic = FALSE))
  }
  c(isolated(f, arg, call), hermetic = TRUE)
}

# Called from C++ to run a user's function. Errors are returned as values, because C++ must see
# them. `message` is used only if the argument is public. `args` is a list of one.
call_user_function <- function(callback, args) {
  call_once(callback, failed = list(failed = TRUE, message = ""), run = function(fun) {
    or_else(
      list(failed = FALSE, value = fun(args[[1]])),
      function(error) list(failed = TRUE, message = plain_message(error))
    )
  })
}

# The message of a failure. The methods of its class can fail too.
plain_message <- function(error) {
  message <- or_else(conditionMessage(error), function(error) "")
  if (is_string(message)) message else ""
}

call_once <- function(callback, run, failed = NULL) {
  call_each(callback, 1, function(fun, i) run(fun), failed)[[1]]
}

# Returns `run(fun, i)` for `count` calls of the function, each isolated from the others, and
# `failed` for each call that fails. `run` reads the result inside the boundary.
call_each <- function(callback, count, run, failed) {
  silently(each_alone(callback, count, run, failed))
}

each_alone <- function(callback, count, run, failed) {
  # Evaluated within the first call, it would take stack from that call only.
  force(run)
  results <- rep(list(failed), count)
  done <- 0
  state <- if (callback$hermetic) kept_state(callback$environments) else no_state
  on.exit(state$end())
  while (done < count) {
    begun <- done
    run_alone(function() {
      while (done < count) {
        done <<- done + 1
        state$restore()
        results[done] <<- list(run(callback$fun, done))
      }
    })
    # If even the first call could not begin (for example, a full stack), it has failed.
    if (done == begun) done <- done + 1
  }
  results
}

# Runs `body()` as if from the top level of R: failures end here and show nothing. Interrupts and
# time limits are passed on, because they come from the caller.
run_alone <- function(body) {
  interrupted <- FALSE
  limit <- NULL
  ended <- core_run_alone(function(waiting) {
    tryCatch(
      withCallingHandlers(if (waiting) body() else allowInterrupts(body()),
        warning = function(condition) tryInvokeRestart("muffleWarning"),
        message = function(condition) tryInvokeRestart("muffleMessage"),
        interrupt = function(condition) interrupted <<- TRUE
      ),
      error = function(condition) if (is_time_limit(condition)) limit <<- condition
    )
  })
  if (!ended && interrupted) rlang::interrupt()
  if (!is.null(limit)) pass_time_limit(limit)
}

# Environment of a function ------------------------------------------------------------------------

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

# Finds the variables that a function uses from outside --------------------------------------------

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
