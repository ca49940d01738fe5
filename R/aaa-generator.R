# Generators of statistics are functions that also answer `$new`, because both `dpMean(...)` and
# `dpMean$new(...)` are in use. An R6 generator is an environment, which can not be called.

# A function with the arguments of the class's `initialize`, so that usage and completion are its
# own; `$` reaches `new` (the same function), `classname`, and whatever else R6 offers.
new_generator <- function(class) {
  arguments <- formals(class$public_methods$initialize)
  passed <- lapply(stats::setNames(nm = names(arguments)), as.symbol)
  names(passed)[names(passed) == "..."] <- ""
  build <- as.function(c(arguments, as.call(c(quote(class$new), passed))), envir = environment())
  structure(build, class = "dp_generator")
}

#' @export
`$.dp_generator` <- function(x, name) {
  if (name == "new") x else get("class", envir = environment(x))[[name]]
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
