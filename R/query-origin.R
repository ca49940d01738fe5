# Column addresses, or the path in an engine. They distinguish tables of this process.
origin_of_data <- function(data, columns) {
  if (inherits(data, "dp_shards")) {
    return(paste(lapply(core_hidden(data$data), origin_of_data, columns), collapse = ";"))
  }
  if (is_engine_table(data)) {
    path <- c(path_parts(data$lazy_query$x), place_of_connection(dbplyr::remote_con(data)))
    return(paste(path, collapse = ","))
  }
  addresses_of(data, columns)
}

place_of_connection <- function(connection) {
  info <- or_else(DBI::dbGetInfo(connection), function(error) NULL)
  unlist(lapply(info[intersect(names(info), c("host", "port", "dbname"))], as.character))
}
