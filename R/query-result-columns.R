# Changes of the columns of a released table. Intervals, marks and the footer describe the numbers
# of the release, so they follow new names. Other changes give a plain table, as verbs do.

# S3 method names contain dots.
# nolint start: object_name_linter.

#' @export
`names<-.dp_released` <- function(x, value) {
  class <- class(x)
  old <- names(x)
  plain <- unreleased(x)
  if (!is_as_released(x)) {
    names(plain) <- value
    return(plain)
  }
  about <- about_released(x)
  names(plain) <- value
  if (identical(names(plain), old)) {
    return(x)
  }
  if (!are_new_names(names(plain), old)) {
    return(plain)
  }
  structure(plain, released = renamed_about(about, old, names(plain)), class = class)
}

# They set names without a method.
#' @exportS3Method dplyr::rename
rename.dp_released <- function(.data, ...) {
  dotted <- grep("^[.]", ...names(), value = TRUE)
  if (length(dotted) > 0) stop_unknown(dotted[[1]], ".data", call = quote(rename()))
  names(.data) <- names(dplyr::rename(unreleased(.data), ...))
  .data
}

#' @exportS3Method dplyr::rename_with
rename_with.dp_released <- function(.data, .fn, .cols = dplyr::everything(), ...) {
  plain <- dplyr::rename_with(unreleased(.data), .fn, {{ .cols }}, ...)
  names(.data) <- names(plain)
  .data
}

#' @export
`$<-.dp_released` <- function(x, name, value) {
  x <- unreleased(x)
  x[[name]] <- value
  x
}

#' @export
`[[<-.dp_released` <- function(x, ..., value) {
  x <- unreleased(x)
  x[[...]] <- value
  x
}

#' @export
`[<-.dp_released` <- function(x, ..., value) {
  x <- unreleased(x)
  x[...] <- value
  x
}

# nolint end

are_new_names <- function(names, old) {
  length(names) == length(old) && !anyNA(names) && all(nzchar(names)) && anyDuplicated(names) == 0
}

# Puts new names everywhere in the public facts. The query keeps its names, so the footer has both.
renamed_about <- function(about, old, new) {
  renamed <- function(names) {
    at <- match(names, old)
    replace(names, !is.na(at), new[at[!is.na(at)]])
  }
  tidy <- about$tidy
  rest <- substring(tidy$term, nchar(tidy$column) + 1)
  tidy$column <- renamed(tidy$column)
  tidy$term <- paste0(tidy$column, rest, recycle0 = TRUE)
  keys <- names(tidy) %in% about$keys
  names(tidy)[keys] <- renamed(names(tidy)[keys])
  about$tidy <- tidy
  about[c("keys", "terms", "dates")] <- lapply(about[c("keys", "terms", "dates")], renamed)
  for (table in c("preview", "shown_preview")) {
    if (!is.null(about[[table]])) about[[table]]$column <- renamed(about[[table]]$column)
  }
  changed <- old != new
  about$changed <- c(
    about$changed, paste0("`", old[changed], "` was renamed to `", new[changed], "`")
  )
  about
}
