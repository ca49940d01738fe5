# How C++ calls a function of the user's: an error comes back as a value, because C++ has to see it.
# `message` is used only where the argument is public. `args` is a list of one.
call_user_function <- function(f, args) {
  tryCatch(
    list(failed = FALSE, value = f(args[[1]])),
    error = function(error) list(failed = TRUE, message = conditionMessage(error))
  )
}
