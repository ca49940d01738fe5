# Members of statistics and mechanisms, by name.

# A misspelt field raises an error instead of giving NULL.
#' @export
`$.dpStatistic` <- function(x, name) known_member(x, name)

#' @export
`$.dpMechanism` <- function(x, name) known_member(x, name)

known_member <- function(x, name) {
  if (!exists(name, envir = x, inherits = FALSE)) {
    stop_unknown_member(class(x)[[1]], name, ls(x), "field or method")
  }
  get(name, envir = x, inherits = FALSE)
}

stop_unknown_member <- function(owner, name, known, kind) {
  close <- agrep(name, known, max.distance = 2, value = TRUE)
  hint <- if (length(close) > 0) paste0(". Did you mean `", close[[1]], "`?") else "."
  stop_dp("{owner} has no {kind} `{name}`{hint}", "invalid_argument", argument = "name",
    call = NULL
  )
}
