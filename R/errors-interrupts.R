# Time limits and interrupts.

# R has no class for an expired time limit (setTimeLimit(), setSessionTimeLimit()), so this matches
# R's messages, in the language of the session.
time_limits <- c(
  "reached elapsed time limit", "reached CPU time limit", "reached session elapsed time limit",
  "reached session CPU time limit"
)

is_time_limit <- function(condition) {
  if (inherits(condition$parent, "condition") && is_time_limit(condition$parent)) {
    return(TRUE)
  }
  inherits(condition, "simpleError") &&
    isTRUE(condition$message %in% gettext(time_limits, domain = "R"))
}

# Raises a time limit again, as R did, but without the call, which can hold data.
pass_time_limit <- function(condition) {
  while (inherits(condition$parent, "condition")) condition <- condition$parent
  if (is_time_limit(condition)) stop(simpleError(condition$message))
}

# The value of `code`, or `otherwise(error)` if it fails. A time limit passes, because the caller
# set it to end their own code. So code that handles any error calls this function instead of
# tryCatch().
or_else <- function(code, otherwise = function(error) NULL) {
  tryCatch(code, error = function(error) {
    pass_time_limit(error)
    hear_interrupt()
    otherwise(error)
  })
}

# Database drivers turn an interrupt into an error, and R notices the interrupt later, perhaps
# inside an outer handler, where no handler of the caller can catch it. Sleeping makes R notice it
# now.
hear_interrupt <- function() Sys.sleep(0)

# For cleanup code that must not fail. Limits and interrupts wait for it.
cleaned_up <- function(code, otherwise = NULL) {
  suspendInterrupts(tryCatch(suppressWarnings(code), error = function(error) otherwise))
}
