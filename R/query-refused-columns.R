# `$`, `[[` and assignment of private tables raise an error.

# nolint start: object_name_linter.
#' @export
`$.dp_tbl` <- function(x, name) refuse_column("$", name)

#' @export
`[[.dp_tbl` <- function(x, ...) refuse_column("[[", ..1)

# `mean(x$age)` names the aggregate for mean(). A column name is shown if it is declared.
refuse_column <- function(label, name) {
  of <- if (is_string(name)) as.name(name) else as.name("x")
  meant <- lapply(nearest_callers(sys.calls(), 5), function(caller) {
    if (nzchar(caller)) hint_for_call(as.call(list(as.name(caller), of)), aggregate_meanings)
  })
  meant <- unlist(meant)
  hint <- if (length(meant) > 0) {
    paste0("Use `summarise(", meant[[1]], ")`, then `release()`.")
  } else {
    paste0("Use an aggregate of the column, such as `summarise(dp_mean(", as.character(of),
      "))`, then `release()`."
    )
  }
  stop_query("unsupported", sprintf("`%s` would show private rows.", label), hint, NULL)
}

#' @export
`[.dp_private` <- function(x, ...) stop_refused("[", "rows", NULL)

#' @export
`$<-.dp_tbl` <- function(x, name, value) stop_refused("$<-", "set", NULL)

#' @export
`[[<-.dp_tbl` <- function(x, ..., value) stop_refused("[[<-", "set", NULL)

#' @export
`[<-.dp_private` <- function(x, ..., value) stop_refused("[<-", "set", NULL)

#' @export
`names<-.dp_private` <- function(x, value) stop_refused("names<-", "rename", NULL)
# nolint end
