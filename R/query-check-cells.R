# Cells of the classes of values that dp_check() counts.

# A check must count rows that `dp_drop()` would remove.
counted_column <- function(column) {
  if (identical(column$missing, "row")) column$missing <- "drop"
  column
}

# Whether the query counts classes of cells.
classes_cells <- function(query) {
  any(vapply(tbl_data(query$table)$domain, function(column) !is.null(column$classes), NA))
}

# In the order of the core.
cell_classes <- c("fits", "missing", "unknown", "below", "above", "undecodable")

possible_classes <- function(column) {
  c(
    "fits", "missing", if (column$type == "levels") "unknown",
    if (!is.null(column$lower)) c("below", "above"), "undecodable"
  )
}
