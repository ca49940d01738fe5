# The boundary around every user function that can see private data.
#
# A function is isolated when you pass it: it keeps copies of the variables that it names, and
# nothing else of its environment (callback-isolation.R). While it runs, it cannot reach the
# caller's handlers or restarts, its output is suppressed, and its changes are undone
# (callback-state.R). `read` converts the result inside the boundary, because the result can have
# methods. A hostile function in the same process can get around this, as documented.

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
