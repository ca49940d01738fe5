# Identifies data by addresses, without reading a cell: the same objects are the same data. Copies
# with equal values are different data.

# list(origin, rows) of data of a statistic or a measurement. `columns` are the columns that it
# reads, or NULL for all. While `rows` is held, no other data can get these addresses.
identity_of_data <- function(data, columns = NULL) {
  list(origin = addresses_of(data, columns), rows = core_hide(data))
}

# Addresses of columns, or of data without columns, as text.
addresses_of <- function(data, columns) {
  parts <- if (is.data.frame(data)) unclass(data) else list(data)
  # Equal plans can list their columns in different orders.
  if (is.data.frame(data) && !is.null(columns)) parts <- parts[sort(columns, method = "radix")]
  paste(vapply(parts, rlang::obj_address, ""), collapse = ",")
}
