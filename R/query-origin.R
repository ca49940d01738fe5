# Identifies the data of a table: column addresses, or the path in an engine. It distinguishes
# tables of this process and does not depend on values.
origin_of_data <- function(data, columns) {
  if (inherits(data, "dp_shards")) {
    return(paste(lapply(core_hidden(data$data), origin_of_data, columns), collapse = ";"))
  }
  if (is_engine_table(data)) {
    path <- c(path_parts(data$lazy_query$x), place_of_connection(dbplyr::remote_con(data)))
    return(paste(path, collapse = ","))
  }
  # Equal plans can list their columns in different orders.
  columns <- sort(columns, method = "radix")
  parts <- if (is.data.frame(data)) unclass(data)[columns] else list(data)
  paste(vapply(parts, rlang::obj_address, ""), collapse = ",")
}

place_of_connection <- function(connection) {
  info <- or_else(DBI::dbGetInfo(connection), function(error) NULL)
  unlist(lapply(info[intersect(names(info), c("host", "port", "dbname"))], as.character))
}
