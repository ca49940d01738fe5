# The boundary around every function of the caller that may see private data.
#
# A function is sealed when it is given: it keeps copies of the variables that it names, and nothing
# else of what surrounded it (callback-seal.R). When it runs, no handler and no restart of the
# caller's is in reach, what it says and draws goes nowhere, and what it changes is put back
# (callback-state.R). What comes out is what `read` makes of its result, which is read in there too,
# for a result may have methods of its own. A hostile function in the same process can get around
# this; that is documented.

# What the core holds of a function of the caller, and hands to the functions of this file: the
# sealed function, and the environments in which it can assign. Without isolation the function is
# the one that was given, and nothing is put back.
new_callback <- function(f, arg = rlang::caller_arg(f), call = rlang::caller_env(),
                         isolation = "hermetic") {
  check_function(f, arg = arg, call = call)
  if (isolation == "none") {
    return(list(fun = f, environments = list(), hermetic = FALSE))
  }
  c(sealed(f, arg, call), hermetic = TRUE)
}

# How C++ calls a function of the caller: an error comes back as a value, because C++ has to see it.
# `message` is used only where the argument is public. `args` is a list of one.
call_user_function <- function(callback, args) {
  call_once(callback, failed = list(failed = TRUE, message = ""), run = function(fun) {
    or_else(
      list(failed = FALSE, value = fun(args[[1]])),
      function(error) list(failed = TRUE, message = plain_message(error))
    )
  })
}

# What a failure says of itself; its class may have methods that fail in their turn.
plain_message <- function(error) {
  message <- or_else(conditionMessage(error), function(error) "")
  if (is_string(message)) message else ""
}

call_once <- function(callback, run, failed = NULL) {
  call_each(callback, 1, function(fun, i) run(fun), failed)[[1]]
}

# What `run(fun, i)` makes of `count` calls of the function, each as if it were the only one;
# `failed` where it fails in any way. What `run` reads of a result is read inside of the boundary.
call_each <- function(callback, count, run, failed) {
  silently(each_alone(callback, count, run, failed))
}

each_alone <- function(callback, count, run, failed) {
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
    # Where not even the first call could be begun, as at the end of the stack, it has failed.
    if (done == begun) done <- done + 1
  }
  results
}

# Runs `body()` as if from the top level of R: what goes wrong ends here, and shows nothing. A wish
# of the caller to stop, by an interrupt or by a time limit, is none of these.
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
