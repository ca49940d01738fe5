# Lists the columns of a table. A column with several numbers per row is split into several columns,
# with the names that `tidy()` gives them.
flat_columns <- function(x, is_element = is_number_or_date) {
  columns <- `attributes<-`(x, list(names = names(x)))
  wide <- vapply(columns, is_wide_column, NA, is_element)
  if (!any(wide)) {
    return(columns)
  }
  # Selects by position, because names can be missing or repeated.
  flat <- lapply(seq_along(columns), function(i) {
    if (wide[[i]]) wide_column(columns[[i]], names(columns)[[i]]) else columns[i]
  })
  unlist(flat, recursive = FALSE)
}

is_number_or_date <- function(x) is.numeric(x) || inherits(x, "Date")

is_wide_column <- function(x, is_element = is_number_or_date) {
  is.list(x) && !is.data.frame(x) && length(x) > 0 && all(vapply(x, is_element, NA)) &&
    length(unique(lengths(x))) == 1 && length(x[[1]]) > 0
}

wide_column <- function(x, name) {
  labels <- names(x[[1]]) %||% as.character(seq_along(x[[1]]))
  each <- lapply(seq_along(labels), function(i) {
    do.call(c, lapply(unname(unclass(x)), function(row) unname(row[i])))
  })
  stats::setNames(each, paste0(name, "[", labels, "]"))
}
