# Framework objects are functions with a class, because the published bindings call them: trans(arg
# = x), trans(d_in = 1), trans("input_domain"). `$` reaches the same parts by name.

# Creates an object of `class` that runs `self`, and can refer to itself as `self`. Its handle is in
# the environment of `self`, which never holds data. The handle is forced there, so that errors
# occur where the object is made.
new_callable <- function(class, self) {
  self <- structure(self, class = class)
  assign("self", self, environment(self))
  self
}

# The external pointer of a framework object of the given class.
handle <- function(x, class, arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  check_class(x, class, arg = arg, call = call)
  environment(x)$handle
}

# Stops unless exactly one of the arguments named in `given` (a named logical vector) was given.
check_exactly_one <- function(given, call) {
  if (sum(given) != 1) {
    names <- names(given)
    head <- paste(names[-length(names)], collapse = ", ")
    stop_dp("expected exactly one of {head} or {names[length(names)]}", "invalid_argument",
      argument = "attr", call = call
    )
  }
}

# How an object was built, as text and as a list: parts that all objects have.
logged_parts <- c("json", "log")

# The part `attr` of `self`. `parts` is a named list of functions without arguments. A number means
# that the user forgot `arg =`.
attribute <- function(self, attr, parts, call) {
  if (is.numeric(attr)) {
    stop_dp("numeric attr not allowed; Did you mean 'arg='?", "invalid_argument",
      argument = "attr", call = call
    )
  }
  parts <- c(parts, list(json = function() to_json(self), log = function() published_log(self)))
  if (!is_string(attr) || !attr %in% names(parts)) {
    stop_dp("unrecognized attribute", "invalid_argument", argument = "attr", call = call)
  }
  parts[[attr]]()
}

# Functions that return the parts that are framework objects.
object_parts_of <- function(self, names) {
  lapply(stats::setNames(nm = names), function(name) function() wrap(core_part(self, name)))
}

# Implements `$` for an object: `members` is a named list of functions or values.
member <- function(members, name, class) {
  if (!name %in% names(members)) {
    article <- if (grepl("^[aeiou]", class)) "an" else "a"
    parts <- paste0("`", names(members), "`", collapse = ", ")
    stop_dp("{article} {class} has no `{name}`; it has {parts}.",
      "invalid_argument",
      argument = "name", call = NULL
    )
  }
  members[[name]]
}

# `object$name` of a framework object: a part, which the object itself returns, or one of `members`,
# which are evaluated only for other names than parts.
part_or_member <- function(x, name, members, parts = character()) {
  parts <- c(parts, logged_parts)
  if (name %in% parts) {
    return(x(name))
  }
  listed <- stats::setNames(vector("list", length(parts)), parts)
  member(c(members, listed), name, class(x)[[1]])
}

print_callable <- function(x) {
  cat(toString(x), "\n", sep = "")
  invisible(x)
}

# "Transformation(\n  input_domain=...,\n ...)": the published form.
describe_parts <- function(title, x, parts) {
  shown <- vapply(parts, function(part) toString(x(part)), character(1))
  paste0(title, "(\n", paste0("  ", parts, "=", shown, collapse = ",\n"), "\n)")
}

# Functions then_*() -------------------------------------------------------------------------------

# then_*: adds the next step to the metric space, transformation or measurement on the left of a
# pipe. The end of the name is the constructor of that step.

#' Make a `then_*` function from a constructor
#'
#' Converts your own constructor to the form that the pipe needs. Its first two arguments, the input
#' domain and the input metric, come from the left side of `|>`.
#'
#' @param constructor (`function`) Constructor whose first two arguments are `input_domain` and
#'   `input_metric`. It returns a [transformation or measurement][framework_objects].
#' @returns (`function`) Function of `lhs` and the remaining arguments of `constructor`.
#' @section Errors: Raises `dp_error_invalid_argument` if the first two arguments have different
#'   names.
#' @examples
#' enable_features("contrib")
#' make_clamped_sum <- function(input_domain, input_metric, bounds) {
#'   c(input_domain, input_metric) |> then_clamp(bounds) |> then_sum()
#' }
#' then_clamped_sum <- to_then(make_clamped_sum)
#' c(vector_domain(atom_domain(.T = "i32")), symmetric_distance()) |>
#'   then_clamped_sum(bounds = c(0L, 10L))
#' @export
to_then <- function(constructor) {
  if (!identical(names(formals(constructor))[1:2], c("input_domain", "input_metric"))) {
    stop_dp(
      "the first two arguments of the constructor must be input_domain and input_metric",
      "invalid_argument",
      argument = "constructor"
    )
  }
  then_from(constructor, takes_space = TRUE, name = substitute(constructor))
}

# The then_* form of a constructor without an input space: all its arguments follow `lhs`.
to_then_fixed <- function(constructor) {
  then_from(constructor, takes_space = FALSE, name = substitute(constructor))
}

# Returns a function with the remaining arguments of `constructor`, so its usage, defaults and
# completion cannot drift from the constructor's. A constructor of the catalogue is built after
# `lhs` directly. Any other constructor is called with the space of `lhs`, and chained to it. It is
# called by its `name` if that is make_*, because errors show that name.
then_from <- function(constructor, takes_space, name = substitute(constructor)) {
  if (!is.symbol(name) || !startsWith(as.character(name), "make_")) name <- quote(constructor)
  arguments <- formals(constructor)
  input <- if (takes_space) names(arguments)[1:2]
  arguments <- arguments[setdiff(names(arguments), input)]
  env <- new.env(parent = topenv(environment()))
  at_once <- built_after(body(constructor), input)
  if (takes_space && !any(input %in% all.names(at_once))) {
    return(as_function(c(alist(lhs = ), arguments), at_once, env)) # nolint: spaces_inside_linter.
  }
  passed <- lapply(stats::setNames(nm = names(arguments)), as.symbol)
  space <- if (takes_space) alist(space[[1]], space[[2]])
  call <- as.call(c(name, space, passed))
  body <- if (takes_space) {
    bquote({
      space <- output_space(lhs)
      chain(lhs, .(call))
    })
  } else {
    bquote(chain(lhs, .(call)))
  }
  assign(as.character(name), constructor, env)
  as_function(c(alist(lhs = ), arguments), body, env) # nolint: spaces_inside_linter.
}

# Rewrites `build(step, input_domain, input_metric, ...)` as `build_after(step, lhs, ...)`.
built_after <- function(expr, input) {
  if (!is.call(expr)) {
    return(expr)
  }
  if (identical(expr[[1]], quote(build)) && length(expr) >= 4 &&
    identical(as.list(expr)[3:4], lapply(input, as.symbol))) {
    return(as.call(c(quote(build_after), expr[[2]], quote(lhs), as.list(expr)[-(1:4)])))
  }
  as.call(lapply(as.list(expr), built_after, input))
}

as_function <- function(formals, body, env) {
  as.function(c(formals, body), envir = env)
}
