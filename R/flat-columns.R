# The columns of a table as a list. A column that holds several numbers for each row becomes one
# column for each, with the names that `tidy()` gives them: a file of CSV has no other place.
flat_columns <- function(x) {
  # By place: a name can be missing, or come twice.
  flat <- lapply(seq_along(x), function(i) {
    column <- x[[i]]
    name <- names(x)[[i]]
    if (is_wide_column(column)) wide_column(column, name) else stats::setNames(list(column), name)
  })
  unlist(flat, recursive = FALSE) %||% list()
}

is_wide_column <- function(x) {
  is.list(x) && !is.data.frame(x) && length(x) > 0 && all(vapply(x, is.numeric, NA)) &&
    length(unique(lengths(x))) == 1 && length(x[[1]]) > 0
}

wide_column <- function(x, name) {
  labels <- names(x[[1]]) %||% as.character(seq_along(x[[1]]))
  each <- lapply(seq_along(labels), function(i) {
    do.call(c, lapply(unname(x), function(row) unname(row[i])))
  })
  stats::setNames(each, paste0(name, "[", labels, "]"))
}
