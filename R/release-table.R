# Which table a release is about. A plan says how a table is declared, not which table it is, so a
# stored release is looked up by the name that the curator gave the table, too.

# Public, and recorded. Names of several tables are separated by a line feed, so a name has none.
check_name_of_table <- function(name, arg = rlang::caller_arg(name), call = rlang::caller_env()) {
  force(arg)
  check_string(name, null = TRUE, arg = arg, call = call)
  if (is.null(name)) {
    return(NULL)
  }
  name <- enc2utf8(name)
  if (!grepl("[^[:space:]]", name) || nchar(name, "bytes") > most_bytes_of_name ||
    printable(name) != name) {
    stop_argument(
      paste("a name of at most", most_bytes_of_name, "bytes without control characters"),
      "another string", arg, call
    )
  }
  name
}

most_bytes_of_name <- 200

# The names of the tables of queries: one if they have the same, otherwise one for each query.
# NULL if no table has a name.
name_of_tables <- function(tables) {
  names <- vapply(tables, function(table) table$name %||% "", "")
  if (length(unique(names)) == 1) names <- names[[1]]
  if (any(nzchar(names))) paste(names, collapse = "\n")
}

in_one_line <- function(names) printable(gsub("\n", ", ", names, fixed = TRUE))

# Where the data of a table are, as text: the addresses of columns, or the path in an engine. It
# distinguishes tables of this process, and does not depend on what they hold.
origin_of_data <- function(data, columns) {
  if (inherits(data, "dp_shards")) {
    return(paste(lapply(core_hidden(data$data), origin_of_data, columns), collapse = ";"))
  }
  if (is_engine_table(data)) {
    path <- c(path_parts(data$lazy_query$x), place_of_connection(dbplyr::remote_con(data)))
    return(paste(path, collapse = ","))
  }
  parts <- if (is.data.frame(data)) unclass(data)[columns] else list(data)
  paste(vapply(parts, rlang::obj_address, ""), collapse = ",")
}

place_of_connection <- function(connection) {
  info <- or_else(DBI::dbGetInfo(connection), function(error) NULL)
  unlist(lapply(info[intersect(names(info), c("host", "port", "dbname"))], as.character))
}

# The origins of tables whose releases this process made or returned, by ledger and record.
origins_of_records <- new.env(parent = emptyenv())

# The origin that the record has: the first one that was noted.
noted_origin <- function(ledger, record, claim) {
  if (is.null(claim$origin)) {
    return(NULL)
  }
  key <- paste0(ledger, ":", record)
  if (is.null(origins_of_records[[key]])) origins_of_records[[key]] <- claim$origin
  origins_of_records[[key]]
}

# Without a name, a ledger cannot distinguish two tables of one declaration and version.
warn_of_other_table <- function(ledger, record, claim) {
  origin <- noted_origin(ledger, record, claim)
  if (!is.null(claim$table) || identical(origin, claim$origin)) {
    return(invisible())
  }
  warn_as_is(
    paste0(
      "Record ", record, " was released from other data. Tables without a name share the stored ",
      "releases of their declaration and version. If this is another table, give both tables a ",
      "name: `dp_tbl(name = )`."
    ),
    "table", NULL
  )
}
