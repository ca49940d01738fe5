# Units of the columns of a model.

# The largest weight of a row, which is 1 without weights.
heaviest_row <- function(model) {
  if (is.null(model$weights)) 1 else model$fields[[model$weights]]$upper
}

# Half-widths and middles of the bounds of columns. An indicator has 1 and 0. `mixed` has
# the raw columns, and the constant, in terms of u: an interaction of a number with an indicator is
# half its width times its u, plus its middle times the indicator.
units_of_columns <- function(columns, fields) {
  names <- unique(unlist(lapply(columns, one_number)))
  ends <- vapply(fields[names], function(field) c(field$lower, field$upper), numeric(2))
  of_numbers <- stats::setNames((ends[2, ] - ends[1, ]) / 2, names)
  middles <- stats::setNames((ends[2, ] + ends[1, ]) / 2, names)
  of <- function(column, known, otherwise) {
    name <- one_number(column)
    if (is.null(name)) otherwise else known[[name]]
  }
  half <- vapply(columns, of, 0, of_numbers, 1)
  middle <- vapply(columns, of, 0, middles, 0)
  cells <- c("", vapply(columns, function(column) {
    if (length(column$numbers) > 0) "" else text_of_cells(column)
  }, ""))
  mixed <- diag(c(1, half))
  for (i in seq_along(columns)) {
    if (length(columns[[i]]$numbers) == 0) next
    at <- match(text_of_cells(columns[[i]]), cells)
    mixed[i + 1, at] <- middle[[i]]
  }
  list(of_numbers = of_numbers, half = half, middle = middle, mixed = mixed)
}

text_of_cells <- function(column) {
  cells <- by_own_name(column$cells)
  paste(names(cells), cells, sep = "=", collapse = "&", recycle0 = FALSE)
}
