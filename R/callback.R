# How C++ calls a function of the user's: an error comes back as a value, because C++ has to see it.
# `message` is used only where the argument is public.
call_user_function <- function(f, arg) {
  tryCatch(
    list(failed = FALSE, value = f(arg)),
    error = function(error) list(failed = TRUE, message = conditionMessage(error))
  )
}
