# Generators of statistics are functions that also answer `$new`, because both `dpMean(...)` and
# `dpMean$new(...)` are in use. An R6 generator is an environment, which cannot be called.

# A function with the arguments of the class's `initialize`, so that usage and completion are its
# own; `$` reaches `new` (the same function), `classname`, and whatever else R6 offers. What is kept
# is how the class is made, and in each session it is made when it is first asked for: R6's own
# methods, which every class has, would else be a fifth of what is installed of the package's code.
#
# `declared` is what else there is to know of a class without an object of it, see declared().
new_generator <- function(class, declared = NULL) {
  made <- made_once(substitute(class), parent.frame())
  assign("declared", declared, environment(made))
  # A class that others inherit from may have none of its own.
  initialize <- class$public_methods$initialize
  arguments <- if (!is.null(initialize)) formals(initialize)
  passed <- lapply(stats::setNames(nm = names(arguments)), as.symbol)
  names(passed)[names(passed) == "..."] <- ""
  # Mechanisms have no other argument than `...`, and check what it holds.
  checked <- if (!identical(names(passed), "")) {
    owner <- list(owner = call("quote", declared$call))
    as.call(c(quote(check_names), passed[names(passed) == ""], if (!is.null(declared)) owner))
  }
  body <- as.call(c(quote(`{`), checked, as.call(c(quote(made()$new), passed))))
  build <- as.function(c(arguments, body), environment(made))
  structure(build, class = "dp_generator")
}

made_once <- function(expression, frame) {
  force(expression)
  force(frame)
  class <- NULL
  made <- function() {
    if (is.null(class)) class <<- eval(expression, frame)
    class
  }
  made
}

# For classes that inherit from another.
class_of <- function(generator) environment(generator)$made()

#' @export
`$.dp_generator` <- function(x, name) {
  if (name == "new") x else class_of(x)[[name]]
}

#' @exportS3Method utils::.DollarNames
.DollarNames.dp_generator <- function(x, pattern = "") { # nolint: object_name_linter.
  grep(pattern, c("new", "classname"), value = TRUE)
}

#' @export
format.dp_generator <- function(x, ...) {
  arguments <- toString(names(formals(x)))
  usage <- strwrap(paste0(x$classname, "(", arguments, ")"), 80, exdent = nchar(x$classname) + 1)
  c(paste0("<generator of ", x$classname, ">"), usage, paste0("See ?", x$classname, "."))
}

#' @export
print.dp_generator <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}
