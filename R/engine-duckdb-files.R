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
