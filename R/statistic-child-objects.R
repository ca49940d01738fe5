# Which objects of the global environment a function needs in another session.
#
# All functions go there, since methods are called without being named. Other objects go if they are
# named in one of these functions, or in code that the function brings along: its own, and functions
# and formulas in the environments it was made in, which are sent as a whole. An object whose name
# is put together at run time, as in get(paste0("x", 1)), is not found.

global_objects <- function(fun) {
  places <- user_places()
  functions <- lapply(places, functions_in)
  code <- c(reachable_code(fun), do.call(c, functions))
  named <- unique(unlist(lapply(code, names_in)))
  objects <- list()
  for (i in seq_along(places)) {
    objects[names(functions[[i]])] <- functions[[i]]
    wanted <- intersect(named, bindings_of(places[[i]]))
    objects[wanted] <- mget(wanted, places[[i]])
  }
  objects
}

# The global environment, and before it what the user has attached, but for packages.
user_places <- function() {
  places <- grep("^(package:|tools:|Autoloads$)", search(), invert = TRUE)
  lapply(rev(places), as.environment)
}

# To ask for an active binding is to run it, so it stays where it is.
bindings_of <- function(env) {
  names <- setdiff(ls(env, all.names = TRUE, sorted = FALSE), "...")
  names[!rlang::env_binding_are_active(env, names)]
}

functions_in <- function(env) {
  names <- bindings_of(env)
  Filter(is.function, mget(names[!rlang::env_binding_are_lazy(env, names)], env))
}

# The function, and every function and piece of code in the environments around it, and so on.
reachable_code <- function(fun) {
  code <- list()
  seen <- list()
  visit <- function(x) {
    code <<- c(code, list(x))
    for (frame in frames_of(x)) {
      if (any(vapply(seen, identical, TRUE, frame))) next
      seen <<- c(seen, frame)
      values <- values_in(frame)
      for (i in seq_along(values)) if (is_code(values[[i]])) visit(values[[i]])
    }
  }
  visit(fun)
  code
}

is_code <- function(x) is.function(x) || is.language(x)

# The environments that are sent along with a function or a formula.
frames_of <- function(x) {
  frames <- list()
  env <- environment(x)
  while (!is.null(env) && !is_shared(env)) {
    frames <- c(frames, env)
    env <- parent.env(env)
  }
  frames
}

# The values in a frame; of an argument that was not evaluated yet, its code.
values_in <- function(frame) {
  names <- bindings_of(frame)
  lazy <- rlang::env_binding_are_lazy(frame, names)
  code_of <- function(name) eval(call("substitute", as.name(name), frame))
  dots <- if (exists("...", frame, inherits = FALSE)) eval(quote(substitute(list(...))), frame)
  unname(c(mget(names[!lazy], frame), lapply(names[lazy], code_of), list(dots)))
}

names_in <- function(x) {
  if (is.function(x)) x <- as.call(unname(c(as.name("function"), as.list(x))))
  all.names(x, unique = TRUE)
}
