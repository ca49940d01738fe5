# A column of a released query with several numbers per row.

# `write.csv()` needs an object with a text form, and stops at a plain list.
new_values <- function(x) structure(x, class = c("dp_values", "list"))

# S3 method names contain dots.
# nolint start: object_name_linter.

# For example 0.25=28 | 0.75=47, which verify_release() reads.
#' @export
as.character.dp_values <- function(x, ...) {
  if (!is_wide_column(x)) {
    return(vapply(unclass(x), toString, ""))
  }
  labels <- names(x[[1]]) %||% as.character(seq_along(x[[1]]))
  texts <- lapply(wide_column(x, ""), published_text, 17)
  do.call(paste, c(unname(Map(paste, labels, texts, sep = "=")), sep = " | "))
}

#' @export
`[.dp_values` <- function(x, i) new_values(unclass(x)[i])

#' @export
print.dp_values <- function(x, ...) {
  print(unclass(x), ...)
  invisible(x)
}

# The type in the header of a tibble.
#' @exportS3Method pillar::type_sum
type_sum.dp_values <- function(x, ...) "list"

# nolint end
