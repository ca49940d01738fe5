# The call that an error names: the one that the user wrote.

# `f()` for a frame or a call of `f`: the name identifies the function, the arguments can be data.
# An anonymous function has no name, and its body can hold anything: it gives `NULL`.
bare_call <- function(call) {
  if (is.environment(call)) {
    call <- rlang::frame_call(call)
  }
  if (is.call(call) && is_name(call[[1]])) as.call(list(call[[1]]))
}

# Whether an expression is `f`, `pkg::f` or `object$method`.
is_name <- function(expr) {
  if (!is.call(expr)) {
    return(is.symbol(expr))
  }
  is.symbol(expr[[1]]) && as.character(expr[[1]]) %in% c("::", ":::", "$") &&
    all(vapply(as.list(expr)[-1], is_name, logical(1)))
}

# Rcpp can put any number of frames between a binding's wrapper `core_*()` and this frame, so the
# wrapper is found by its name. The user's call is the next outer frame of a function that users
# know. If there is none, it is the binding's caller.
caller_of_binding <- function() {
  parents <- sys.parents()
  binding <- length(parents)
  while (binding > 0 && !is_call_of_binding(sys.call(binding))) binding <- binding - 1
  if (binding == 0) {
    return(NULL)
  }
  caller <- frame <- parents[[binding]]
  while (frame > 0) {
    known <- call_of_users(sys.call(frame), sys.function(frame))
    if (!is.null(known)) {
      return(known)
    }
    frame <- parents[[frame]]
  }
  if (caller > 0) sys.call(caller)
}

is_call_of_binding <- function(call) {
  is_name(call[[1]]) && any(startsWith(all.names(call[[1]]), "core_"))
}

# The call, if users know the function: an export, a method (named by its generic), a public method
# of an R6 object, or a function with a class, such as a measurement. NULL for other calls.
call_of_users <- function(call, fun) {
  if (is.object(fun) || is_public_method(call, fun)) {
    return(call)
  }
  home <- parent.env(environment())
  name <- if (is_name(call[[1]])) utils::tail(all.names(call[[1]]), 1) else "function"
  if (!identical(get0(name, home, mode = "function", inherits = FALSE), fun)) {
    return(NULL)
  }
  methods <- getNamespaceInfo(home, "S3methods")
  generic <- methods[methods[, 3] == name, 1]
  exports <- getNamespaceExports(home)
  if (length(generic) == 1 && (generic %in% exports || !exists(generic, home, inherits = FALSE))) {
    call[[1]] <- as.name(generic)
    call
  } else if (name %in% exports) {
    call
  }
}

# True for `object$method()`, but not for `private$.method()`.
is_public_method <- function(call, fun) {
  home <- environment(fun)
  is.call(call[[1]]) && identical(call[[1]][[1]], quote(`$`)) && is.environment(home) &&
    exists("self", home, inherits = FALSE) && !startsWith(as.character(call[[1]][[3]]), ".")
}
