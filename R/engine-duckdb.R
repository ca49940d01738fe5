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

#' Load private files into a table of DuckDB
#'
#' `dp_load_files()` loads CSV or Parquet files, which can be larger than memory, into a new table
#' for [dp_tbl()]. The declaration of a CSV column fixes how its cells are read, so no private value
#' can change the type of a column.
#'
#' @param connection A DuckDB connection, preferably to a database file.
#' @param name (`character(1)`) Name of the new table. Public.
#' @param path (`character`) One or more files with the same columns. All have the extension `.csv`,
#'   `.csv.gz`, `.tsv`, `.tsv.gz` or `.parquet`. Public.
#' @param unit (`dp_unit`) See [dp_unit()]. Its id columns are loaded.
#' @param domain (`dp_domain`) See [dp_schema()]. Only declared columns are loaded.
#' @param na (`character`) Texts in a CSV file that are missing values. Public.
#' @param ... Not used: other names raise an error.
#' @returns The table, as `dplyr::tbl(connection, name)` returns it.
#' @section CSV files: Files are in UTF-8 and have a line of column names. Texts that contain the
#'   delimiter are in double quotes. Cells that do not match their declaration are missing:
#'
#'   * `dp_int()`: digits with an optional sign.
#'   * `dp_num()`: a number that DuckDB can read.
#'   * `dp_date()`: a date such as `2026-03-01`.
#'   * `dp_flag()`: `true` or `false`.
#'
#'   Levels, texts and ids stay texts. An empty text is missing if `na` contains `""`. Parquet files
#'   store column types, which `dp_tbl()` checks.
#' @section Privacy: This function releases nothing. A stray quote in a CSV file can merge several
#'   rows into one, so the data holder should check the table: each row must belong to one person.
#'   If DuckDB cannot read a file, the error does not quote its cells.
#' @section Errors: `dp_error_source` for files that do not exist or cannot be read, and if the
#'   table exists already. `dp_error_domain` for a column that the files do not have.
#'   `dp_error_unsupported` for other connections or kinds of files. `dp_error_missing_package`
#'   without DBI and dbplyr.
#' @seealso [dp_tbl()], [dp_engines]
#' @examples
#' if (all(vapply(c("duckdb", "dbplyr"), requireNamespace, TRUE, quietly = TRUE))) {
#'   # The same as duckdb::duckdb(). This package does not suggest duckdb.
#'   driver <- getExportedValue("duckdb", "duckdb")()
#'   con <- DBI::dbConnect(driver)
#'   file <- tempfile(fileext = ".csv")
#'   write.csv(PUMS5extract10000, file, row.names = FALSE)
#'   unit <- dp_unit(rows = 1)
#'   domain <- dp_domain(age = dp_int(18, 93), sex = dp_levels(0, 1))
#'   people <- dp_load_files(con, "people", file, unit, domain)
#'   dp_tbl(dp_session(dp_epsilon(1)), people, unit, domain) |>
#'     dplyr::count(sex) |>
#'     release(epsilon = 0.2) |>
#'     print()
#'   DBI::dbDisconnect(con, shutdown = TRUE)
#' }
#' @export
dp_load_files <- function(connection, name, path, unit, domain, na = c("", "NA"), ...) {
  check_names(...)
  call <- environment()
  check_given("connection", "name", "path", "unit", "domain", call = call)
  check_class(unit, "dp_unit")
  check_class(domain, "dp_domain")
  check_string(name)
  check_some_texts(path, "path", call)
  check_some_texts(na, "na", call)
  needs_packages(c("DBI", "dbplyr"), call)
  if (!inherits(connection, "duckdb_connection")) {
    stop_query("unsupported", "Only DuckDB can load files.",
      "Copy them into a table with the tools of your engine.", call
    )
  }
  kind <- kind_of_files(path, call)
  columns <- unique(c(names(domain), unit$id))
  if (kind == "parquet") {
    wanted <- vapply(columns, core_engine_path, "", engine = "DuckDB")
    from <- paste0("read_parquet(", duckdb_list(normalizePath(path)), ")")
  } else {
    delimiter <- if (kind == "csv") "," else "\t"
    known <- csv_columns(path, delimiter, columns, call)
    wanted <- csv_cells(columns, match(columns, known), domain)
    from <- csv_source(path, delimiter, length(known), na)
  }
  check_no_macros(function(sql) DBI::dbGetQuery(connection, sql), call)
  sql <- paste0(
    "CREATE TABLE ", core_engine_path("DuckDB", name), " AS SELECT ", toString(wanted), " FROM ",
    from
  )
  or_else(DBI::dbExecute(connection, sql), function(error) {
    stop_query("source", paste0("The files could not be loaded into a new table ", name, "."),
      "DuckDB's message is not shown, because it can contain cells.", call
    )
  })
  dplyr::tbl(connection, name)
}

check_some_texts <- function(x, arg, call) {
  if (!is.character(x) || length(x) == 0 || anyNA(x)) {
    stop_argument("one or more texts", describe(x), arg, call)
  }
  check_texts(x, arg, call)
}

# DuckDB would expand wildcards such as `*`.
kind_of_files <- function(path, call) {
  wrong <- path[!file.exists(path) | grepl("[*?[{]", path)]
  if (length(wrong) > 0) {
    stop_query("source", paste0("Cannot find the file ", wrong[[1]], "."),
      "File names must not contain `*?[{`.", call
    )
  }
  kind <- unique(sub("^.*[.](csv|tsv|parquet)([.]gz)?$", "\\1", tolower(path)))
  if (length(kind) != 1 || !kind %in% c("csv", "tsv", "parquet")) {
    stop_query("unsupported", "Files must be all CSV, all TSV or all Parquet, by their extensions.",
      call = call
    )
  }
  kind
}

duckdb_list <- function(texts) paste0("[", toString(quoted_text(texts)), "]")

csv_columns <- function(path, delimiter, columns, call) {
  names <- unique(lapply(path, names_of_csv, delimiter = delimiter))
  if (length(names) != 1) {
    stop_query("source", "The files must have the same columns.", call = call)
  }
  check_columns_there(columns, names[[1]], call)
  twice <- intersect(names[[1]][duplicated(names[[1]])], columns)
  if (length(twice) > 0) {
    stop_query("source", paste0("The files have two columns called ", listed(twice), "."),
      call = call
    )
  }
  names[[1]]
}

# Guessing types would depend on the rows, so every column is a text. Columns are named c1, c2 and
# so on, because DuckDB changes some names.
csv_source <- function(path, delimiter, columns, na) {
  types <- paste0("'c", seq_len(columns), "': 'VARCHAR'", collapse = ", ")
  paste0(
    "read_csv(", duckdb_list(normalizePath(path)), ", auto_detect = false, header = true, delim = ",
    quoted_text(delimiter), ", quote = '\"', escape = '\"', nullstr = ", duckdb_list(na),
    ", columns = {", types, "})"
  )
}

names_of_csv <- function(path, delimiter) {
  line <- sub("^\ufeff", "", readLines(path, n = 1, warn = FALSE, encoding = "UTF-8"))
  scan(text = line, what = "", sep = delimiter, quote = "\"", quiet = TRUE, encoding = "UTF-8")
}

# Converts texts to cells. Never fails, whatever the text is.
csv_cells <- function(columns, places, domain) {
  cell <- function(name, place) {
    x <- paste0("c", place)
    looks <- function(like, type) {
      paste0("CASE WHEN ", x, " SIMILAR TO '", like, "' THEN TRY_CAST(", x, " AS ", type, ") END")
    }
    switch(domain[[name]]$type %||% "text",
      integer = looks("[-+]?[0-9]+", "BIGINT"),
      real = paste0("TRY_CAST(", x, " AS DOUBLE)"),
      logical = paste0("CASE lower(", x, ") WHEN 'true' THEN TRUE WHEN 'false' THEN FALSE END"),
      date = looks("[0-9]{4}-[0-9]{2}-[0-9]{2}", "DATE"),
      x
    )
  }
  names <- vapply(columns, core_engine_path, "", engine = "DuckDB")
  paste(mapply(cell, columns, places), "AS", names)
}
