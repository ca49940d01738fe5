#' Private tables in databases, Spark and Arrow
#'
#' [dp_tbl()] takes tables of PostgreSQL, DuckDB, Spark (through package sparklyr) and SQLite, and
#' Arrow data. All engines return the same integers for a query, or the session raises an error
#' before the charge.
#'
#' Give a database table as `tbl(con, "visits")`, without verbs. Load files into a DuckDB table with
#' [dp_load_files()].
#' @section Where queries run: PostgreSQL, DuckDB and Spark compute counts and sums in one SQL
#'   statement. They return whole numbers, and the session adds the noise in R. They compare texts
#'   by bytes, whatever the collation. PostgreSQL and DuckDB raise errors at some values of some
#'   expressions, such as products of reals. R then reads the declared columns in chunks, unless
#'   `rows = "stay"`. SQLite and Arrow data are always read in chunks, so a table can be larger than
#'   memory.
#'
#'   `show_query()` prints the SQL statement, and a receipt records its hash. Printed tables name
#'   the engine.
#' @section Tables that raise an error: Temporary views, foreign tables, views of DuckDB and SQLite,
#'   virtual tables, and computed columns of DuckDB and SQLite. PostgreSQL accepts stored views. You
#'   must know that such a view cannot fail at any value. The data holder must own the table. Spark
#'   tables must consist of Parquet or ORC files.
#' @section Checks before the charge: The session checks the table again before it charges a
#'   release: its kind, and the names and types of the declared columns. If a table was dropped,
#'   altered, renamed or replaced by a view, you get an error and nothing is spent. The same happens
#'   if the connection is closed, or if a DuckDB macro hides a function. The check runs once more in
#'   the transaction that reads the rows. `dp_tbl()` stores the full path of the table, so it never
#'   reads a temporary table with the same name. You can add columns and change rows between
#'   releases.
#'
#'   Errors after the charge show no detail, because details can contain private values. Protect the
#'   logs of an engine as you protect its rows.
#' @section PostgreSQL: Connect with package RPostgres. Package RPostgreSQL prints server errors,
#'   which can quote private cells. A release reads one snapshot, in a read-only transaction with
#'   fixed settings. Settings of the role, time limits and the search path do not change a result.
#'   If you have opened a transaction, the release runs inside it and reads its changes. The
#'   statements of a release then share a snapshot only if your transaction has one.
#' @section DuckDB: DuckDB sends rows as Arrow batches if its R package supports
#'   `DBI::dbSendQueryArrow()`. Older versions load all rows of the declared columns at once.
#' @section SQLite: SQLite runs in the R process. A cell of a different type than declared is
#'   missing, and so is a text that is not a calendar day. [dp_check()] counts both.
#' @section Ids: Ids are texts, whole numbers of 64 bits, logicals or dates. Reals can be ids if R
#'   reads the rows, but not in PostgreSQL, DuckDB or Spark. In an SQLite column without the type
#'   `REAL`, whole reals are whole numbers, and other reals are missing. Cast columns of the
#'   PostgreSQL type `numeric` to `bigint` or `text` in a view.
#' @section Arrow: Package nanoarrow reads Arrow data batch by batch: streams, batches, and the
#'   tables, readers and datasets of package arrow. Other objects need a method of
#'   `nanoarrow::as_nanoarrow_array_stream()`. Such a method must not fail at a value, nor choose
#'   types by looking at rows. Supported types are logicals, whole numbers, reals, dates, date-times
#'   without a zone, and texts, with or without a dictionary. You can read and release a stream or a
#'   reader only once. Datasets, such as `arrow::open_dataset("claims/")`, scan only the declared
#'   columns. Datasets with verbs, and datasets of CSV or JSON files, raise an error. The tests use
#'   objects with the interface of package arrow, not the package.
#' @section Interrupts: You can interrupt R between two chunks. The charge stays, and you can use
#'   the connection again. In interactive use, a message after two seconds says that rows are read
#'   or which engine counts. It never shows the number of rows. See the options of
#'   [PSIlence-package].
#' @seealso [dp_tbl()], [dp_columns()] for column types, [dp_shards()]
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' if (requireNamespace("RSQLite", quietly = TRUE) && requireNamespace("dbplyr", quietly = TRUE)) {
#'   con <- DBI::dbConnect(RSQLite::SQLite())
#'   DBI::dbWriteTable(con, "people", PUMS5extract10000)
#'   people <- dp_tbl(dp_session(dp_epsilon(1)), dplyr::tbl(con, "people"),
#'     unit = dp_unit(rows = 1), domain = dp_domain(age = dp_int(18, 93))
#'   )
#'   print(people)
#'   query <- dplyr::summarise(people, n = dp_count(), age = dp_mean(age))
#'   print(release(query, epsilon = 0.2))
#'   DBI::dbDisconnect(con)
#' }
#' @name dp_engines
NULL

# Private tables in an engine ----------------------------------------------------------------------
#
# The core writes the SQL (src/core/sql/), the engine counts, and integers return as text. DBI
# provides the connection and dbplyr the table name. Neither writes SQL.

# An engine table for the core: engine, path, names and kinds of columns, and a function that sends
# a statement. `sent` stores the statements of the last release and their salts in hexadecimal. Both
# are public.
new_engine <- function(table) {
  sent <- new.env(parent = emptyenv())
  note <- function(sql, salt) {
    sent$sql <- c(sent$sql, sql)
    sent$salt <- c(sent$salt, salt)
  }
  run <- function(sql, salt) {
    note(sql, salt)
    lapply(or_engine_failed(table, run_statement(table, sql)), as.character)
  }
  columns <- table$schema$columns
  engine <- structure(list(
    engine = table$engine, path = table$path, names = columns$name,
    kinds = columns$kind, run = run, sent = sent, table = table
  ), class = "dp_engine")
  start <- engine_starter(table)
  if (!is.null(start)) {
    engine$begin_beside <- function(sql, salt) {
      note(sql, salt)
      start(sql)
    }
  }
  engine
}

# Engine errors can contain private values, so their messages are not shown.
or_engine_failed <- function(table, code) {
  tryCatch(code, error = function(error) {
    engine_forget(table)
    pass_time_limit(error)
    stop("The engine failed.")
  })
}

run_statement <- function(table, sql) in_reading(table, NULL, engine_run(table, sql))

# Engine facts for a receipt: the SHA-256 of the statement and of its salt. Several statements, or
# several salts, are hashed together, one per line.
engine_facts <- function(engine) {
  digest <- function(what) {
    texts <- unlist(lapply(places_of(engine), function(place) place[["sent"]][[what]]))
    if (length(texts) == 0) "" else core_sha256(paste(texts, collapse = "\n"))
  }
  list(engine = engine$engine, salt = digest("salt"), sql = digest("sql"))
}

# Each release starts with an empty record.
forget_sent <- function(engine) {
  for (place in places_of(engine)) {
    sent <- place[["sent"]]
    if (!is.null(sent)) rm(list = ls(sent), envir = sent)
  }
}

# NULL for rows in memory.
engine_of_table <- function(table) if (!is.null(table$engine)) core_hidden(table$rows)

is_pushed <- function(rows) !is.null(rows[["run"]])

is_streamed <- function(rows) !is.data.frame(rows) && !is.null(rows[["open_noting"]])

is_engine_table <- function(data) inherits(data, "tbl_lazy")

engine_of <- function(data, unit, domain, execute, rows, call) {
  needs_packages(c("DBI", "dbplyr"), call)
  path <- bare_path(data, call)
  connection <- dbplyr::remote_con(data)
  table <- new_engine_table(engine_name(connection, call), connection, path,
    names = unique(c(names(domain), unit$id))
  )
  check_route(table, execute, rows, call)
  table <- described_table(table, call)
  check_engine_columns(table, unit, domain, call)
  streams <- "stream" %in% engine_routes(table)
  if (execute == "stream" || !"push" %in% engine_routes(table)) {
    engine <- engine_stream(table, unit, domain)
  } else {
    engine <- new_engine(table)
    if (streams && execute == "auto" && rows == "may_leave") {
      engine$pulled <- engine_stream(table, unit, domain)
    }
  }
  engine$rounded <- rounded_in_engine(table, domain)
  engine
}

needs_packages <- function(packages, call) {
  for (package in packages) {
    if (!requireNamespace(package, quietly = TRUE)) {
      stop_dp(paste0("Package ", package, " is needed: install.packages(\"", package, "\")."),
        "missing_package",
        package = package, call = call
      )
    }
  }
}

refuse_verbs <- function(bare, call) {
  stop_query("source", "`data` must be a bare table, without verbs or SQL.",
    paste0("Give ", bare, " without verbs, and use verbs after `dp_tbl()`."), call
  )
}
