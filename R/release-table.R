# Names the table of a release. A plan says how a table is declared, not which table it is, so a
# stored release is looked up by the curator's name of the table, too.

# Table names are public, and recorded. A line feed separates several names, so a name has none.
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

# The names of the tables of queries: one name if all are equal, otherwise one for each query. NULL
# if no table has a name.
name_of_tables <- function(tables) {
  names <- vapply(tables, function(table) table$name %||% "", "")
  if (length(unique(names)) == 1) names <- names[[1]]
  if (any(nzchar(names))) paste(names, collapse = "\n")
}

in_one_line <- function(names) printable(gsub("\n", ", ", names, fixed = TRUE))

# Origins of tables whose releases this process made or returned, by ledger and record.
origins_of_records <- new.env(parent = emptyenv())

# The origin of a record: the first one that was noted.
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
      "name: `dp_tbl(name = )` for a query, `release(table = )` for a statistic or a measurement."
    ),
    "table", NULL
  )
}
