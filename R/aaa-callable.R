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
