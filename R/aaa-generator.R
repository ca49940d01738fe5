# Statistic generators are functions that also answer `$new`, because users write both `dpMean(...)`
# and `dpMean$new(...)`. An R6 generator is an environment, which cannot be called.

# Returns a function with the arguments of the class's `initialize`, so its usage and completion
# match the class. `$` gives `new` (the same function), `classname` and the other members of the R6
# generator. The package stores the expression that makes the class, and each session evaluates it
# on first use. Storing the classes would repeat R6's methods in each, a fifth of the installed
# code.
#
# `declared` holds facts about a class that do not need an object of it, see declared(). Its `first`
# is code that a call evaluates before its arguments are matched.
new_generator <- function(class, declared = NULL) {
  made <- made_once(substitute(class), parent.frame())
  assign("declared", declared, environment(made))
  # A base class can lack an `initialize` method.
  initialize <- class$public_methods$initialize
  arguments <- if (!is.null(initialize)) formals(initialize)
  if (!is.null(declared)) {
    planned <- constructor_of(arguments[declared$arguments], declared, made)
    assign("planned", planned, environment(made))
  }
  structure(constructor_of(arguments, declared, made), class = "dp_generator")
}

declaration_of <- function(generator) environment(generator)$declared

# The function that builds an object, with `arguments` in this order.
constructor_of <- function(arguments, declared, made) {
  passed <- lapply(stats::setNames(nm = names(arguments)), as.symbol)
  names(passed)[names(passed) == "..."] <- ""
  # Mechanisms have only the argument `...`, and check its contents themselves.
  checked <- if (!identical(names(passed), "")) {
    owner <- list(owner = call("quote", declared$call))
    as.call(c(quote(check_names), passed[names(passed) == ""], if (!is.null(declared)) owner))
  }
  reordered <- if (!is.null(declared) && !identical(names(arguments), declared$arguments)) {
    list(
      quote(call <- call_in_plan_order(planned, declared)),
      quote(if (!is.null(call)) return(eval(call)))
    )
  }
  made_new <- as.call(c(quote(made()$new), passed))
  body <- as.call(c(quote(`{`), declared$first, reordered, checked, made_new))
  as.function(c(arguments, body), environment(made))
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

# The class, for other classes that inherit from it.
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

# Caches -------------------------------------------------------------------------------------------

# Caches a function of public numbers whose computation takes longer than the release that needs it,
# and recurs with the next release.
memoised <- function(fun) {
  known <- new.env(parent = emptyenv())
  function(...) {
    key <- paste(sprintf("%a", as.double(c(...))), collapse = " ")
    known[[key]] <- known[[key]] %||% fun(...)
    known[[key]]
  }
}
