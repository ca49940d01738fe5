# Finds the objects of the global environment that a function needs in another session.
#
# All functions are sent, because methods are called without being named. Other objects are sent if
# one of these functions names them, or if code that comes with the function does: its body, and
# functions and formulas in its enclosing environments, which are sent whole. Names built at run
# time, as in get(paste0("x", 1)), are not found.

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

# Global environment, preceded by the attached environments except packages.
user_places <- function() {
  places <- grep("^(package:|tools:|Autoloads$)", search(), invert = TRUE)
  lapply(rev(places), as.environment)
}

# Skips active bindings, because reading one runs it.
bindings_of <- function(env) {
  names <- setdiff(ls(env, all.names = TRUE, sorted = FALSE), "...")
  names[!rlang::env_binding_are_active(env, names)]
}

functions_in <- function(env) {
  names <- bindings_of(env)
  Filter(is.function, mget(names[!rlang::env_binding_are_lazy(env, names)], env))
}

# Collects the function, and all functions and code in its enclosing environments, recursively.
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

# Environments that are sent along with a function or a formula.
frames_of <- function(x) {
  frames <- list()
  env <- environment(x)
  while (!is.null(env) && !is_shared(env)) {
    frames <- c(frames, env)
    env <- parent.env(env)
  }
  frames
}

# Values in a frame. For an argument that is not yet evaluated, its code.
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
