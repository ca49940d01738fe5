# Tables of DuckDB ---------------------------------------------------------------------------------

#' @exportS3Method
engine_name.duckdb_connection <- function(connection, call) "DuckDB" # nolint: object_name_linter.

# DuckDB has no savepoints, so a release runs inside a transaction that is already open.
#' @exportS3Method
engine_begin.duckdb_table <- function(table, reading) { # nolint: object_name_linter.
  connection <- table$connection
  if (is_transacting_duckdb(connection)) {
    return()
  }
  suspendInterrupts({
    send(connection, "BEGIN TRANSACTION")
    reading$undo <- "ROLLBACK"
    reading$connection <- connection
  })
}

# Outside a transaction, each statement has a new id. A second BEGIN would abort the first one.
is_transacting_duckdb <- function(connection) {
  number <- function() {
    as.character(DBI::dbGetQuery(connection, "SELECT system.main.txid_current()")[[1]])
  }
  identical(number(), number())
}

# DuckDB views often read files. A malformed line then raises an error that quotes the line.
#' @exportS3Method
engine_schema.duckdb_table <- function(table, call) { # nolint: object_name_linter.
  ask <- function(...) as.data.frame(DBI::dbGetQuery(table$connection, paste0(...)))
  check_no_macros(ask, call)
  found <- duckdb_place(ask, table$path, call)
  if (!isTRUE(found$plain)) {
    refuse_engine_table(table$path, "not a plain table of a DuckDB database",
      "Make one: CREATE TABLE ... AS FROM ... .", call
    )
  }
  columns <- ask("DESCRIBE ", core_engine_path("DuckDB", found$path))
  columns <- data.frame(name = columns[[1]], type = columns[[2]])
  columns$kind <- engine_kind("DuckDB", columns$type)
  list(path = found$path, kind = "table", columns = columns)
}

# A macro in any database hides the built-in function of the same name, even `+` and `sum`.
check_no_macros <- function(ask, call) {
  # Listing built-in functions is slow, and few databases have macros.
  made <- "SELECT function_name FROM system.main.duckdb_functions() WHERE NOT internal"
  found <- ask(made)
  if (nrow(found) > 0) {
    name <- "system.main.lower(function_name)"
    found <- ask(paste0(
      made, " AND ", name, " IN (SELECT ", name,
      " FROM system.main.duckdb_functions() WHERE internal)"
    ))
  }
  if (nrow(found) > 0) {
    stop_query("source", paste0("A macro hides DuckDB's function `",
      found[[1]][[1]], "`."), "Drop or rename the macro.", call
    )
  }
}

# Resolves a path as DuckDB does, and returns the full path and whether it is a plain table. DuckDB
# looks at temporary tables first, even for `main.visits`, and at system schemas last. Computed
# columns can fail like views, so such a table is not plain.
duckdb_place <- function(ask, path, call) {
  literal <- function(text) paste0("lower(", quoted_text(text), ")")
  parts <- vapply(rev(path), literal, "", USE.NAMES = FALSE)
  above <- paste0(parts[-1], " IN (lower(schema_name), lower(database_name))", recycle0 = TRUE)
  if (length(path) == 3) {
    above <- paste0("lower(", c("schema_name", "database_name"), ") = ", parts[-1])
  }
  # Stops if DuckDB does not find the name, or finds it twice.
  ask("DESCRIBE ", core_engine_path("DuckDB", path))
  found <- ask(
    "SELECT database_name AS of_database, schema_name AS of_schema, name, ",
    "CAST(plain AS VARCHAR) AS plain, CAST(CASE WHEN database_name = 'temp' THEN 1 ",
    "WHEN database_name = current_database() AND schema_name = current_schema() THEN 2 ",
    "WHEN database_name = current_database() THEN 3 WHEN database_name <> 'system' THEN 4 ",
    "ELSE 5 END AS INTEGER) AS turn FROM (",
    "SELECT database_name, schema_name, table_name AS name, database_name IN (",
    "SELECT database_name FROM duckdb_databases() WHERE type = 'duckdb') ",
    "AND NOT contains(sql, 'GENERATED ALWAYS AS') AS plain FROM duckdb_tables() UNION ALL ",
    "SELECT database_name, schema_name, view_name, FALSE FROM duckdb_views()) WHERE ",
    paste(c(paste0("lower(name) = ", parts[[1]]), above), collapse = " AND ")
  )
  found <- found[found$turn == min(found$turn, 5), ]
  if (nrow(found) > 1) {
    refuse_engine_table(path, "the name of several tables",
      "Add the schema: `tbl(con, dbplyr::in_schema(\"clinic\", \"visits\"))`.", call
    )
  }
  list(path = c(found$of_database, found$of_schema, found$name), plain = found$plain == "true")
}

#' @exportS3Method
engine_stream.duckdb_table <- function(table, unit, domain) { # nolint: object_name_linter.
  pulled_rows(table, text_type = "VARCHAR", text = text_without_zeros, quicker = open_batches)
}

text_without_zeros <- function(x) paste0("CASE WHEN instr(", x, ", chr(0)) = 0 THEN ", x, " END")

# DuckDB rows as Arrow batches. The driver would keep all rows that `dbFetch()` returns as R
# vectors. NULL if the driver has no batches, or if a setting gives texts a type that the core does
# not read.
open_batches <- function(table) {
  if (!gives_batches(table$connection)) {
    return(NULL)
  }
  columns <- table$schema$columns
  of <- mapply(batch_column, columns$name, columns$kind)
  names <- vapply(columns$name, core_engine_path, "", engine = "DuckDB")
  result <- DBI::dbSendQueryArrow(table$connection, paste0(
    "SELECT ", toString(paste(of, "AS", names)), " FROM ", core_engine_path("DuckDB", table$path)
  ))
  close <- function() DBI::dbClearResult(result)
  is_open <- FALSE
  on.exit(if (!is_open) close())
  stream <- DBI::dbFetchArrow(result)
  read <- tryCatch(core_arrow_kinds(stream, columns$name), dp_error_source = function(error) NULL)
  if (!is.null(read)) {
    is_open <- TRUE
    list(stream = stream, close = close)
  }
}

# DBI has a default method for all drivers, but it collects all rows first.
gives_batches <- function(connection) {
  needed <- c("nanoarrow", "DBI")
  all(vapply(needed, requireNamespace, NA, quietly = TRUE)) &&
    "dbSendQueryArrow" %in% getNamespaceExports("DBI") &&
    methods::existsMethod(DBI::dbSendQueryArrow, c(class(connection)[[1]], "character"))
}

# Never fails, as in pulled_column().
batch_column <- function(name, kind) {
  x <- core_engine_path("DuckDB", name)
  if (kind == "moment") {
    x <- paste0("CAST(", x, " AS DATE)")
    kind <- "date"
  }
  switch(kind,
    decimal = paste0("CAST(", x, " AS DOUBLE)"),
    text = text_without_zeros(x),
    date = paste0(
      "CASE WHEN ", x, " >= DATE '0001-01-01' AND ", x, " <= DATE '9999-12-31' THEN ", x, " END"
    ),
    x
  )
}
