# Rows of PostgreSQL and DuckDB in chunks, for queries that the engine cannot count ----------------
#
# One statement reads one snapshot. No cell can fail: whole numbers and decimals arrive as digits,
# and dates as days.

check_pulled <- function(dialect, rows, call) {
  if (dialect == "spark" || rows == "stay") {
    what <- if (dialect == "spark") {
      "Rows of a Spark table cannot be read into R."
    } else {
      "With `rows = \"stay\"`, R cannot read rows."
    }
    stop_query("unsupported", what, "Use `execute = \"push\"`.", call)
  }
}

pulled_rows <- function(table) {
  columns <- table$schema$columns
  dialect <- table$dialect
  read <- Map(function(name, kind) pulled_column(dialect, name, kind), columns$name, columns$kind)
  from <- core_engine_path(dialect, table$path)
  quicker <- switch(dialect, postgresql = open_words, duckdb = open_batches)
  streamed_engine(table,
    function() quicker(table) %||% open_chunks(table$connection, from, read),
    function() open_chunks(table$connection, from, read, notes = TRUE)
  )
}

pulled_column <- function(dialect, name, kind) {
  x <- core_engine_path(dialect, name)
  if (kind == "moment") {
    x <- paste0("CAST(", x, " AS DATE)")
    kind <- "date"
  }
  text <- if (dialect == "postgresql") "text" else "VARCHAR"
  as_text <- function(of) paste0("CAST(", of, " AS ", text, ")")
  column <- switch(kind,
    logical = list(sql = x, as = as.logical),
    whole = list(
      # The least 64-bit integer is NA in integer64, and missing in every engine.
      sql = paste0("CASE WHEN ", x, " >= -9223372036854775807 THEN ", as_text(x), " END"),
      as = function(cells) core_integer64_from_text(as.character(cells))
    ),
    real = list(sql = paste0("CAST(", x, " AS DOUBLE PRECISION)"), as = as.double),
    decimal = list(sql = as_text(x), as = function(cells) as.double(as.character(cells))),
    text = list(
      sql = if (dialect == "duckdb") {
        paste0("CASE WHEN instr(", x, ", chr(0)) = 0 THEN ", x, " END")
      } else {
        as_text(x)
      },
      as = as.character
    ),
    date = list(
      sql = paste0(
        "CASE WHEN ", x, " >= DATE '0001-01-01' AND ", x, " <= DATE '9999-12-31' THEN ",
        as_text(paste0(x, " - DATE '1970-01-01'")), " END"
      ),
      as = function(cells) structure(as.double(as.character(cells)), class = "Date")
    )
  )
  is_unread <- paste0(x, " IS NOT NULL AND (", column$sql, ") IS NULL")
  c(column, is_unread = if (kind %in% c("text", "date")) is_unread else "1 = 0")
}

# DuckDB rows as Arrow batches. The driver would keep all rows that `dbFetch()` returns as R
# vectors. NULL if the driver has no batches, or if a setting gives texts a type that the core does
# not read.
open_batches <- function(table) {
  if (!gives_batches(table$connection)) {
    return(NULL)
  }
  columns <- table$schema$columns
  of <- mapply(batch_column, columns$name, columns$kind)
  names <- vapply(columns$name, core_engine_path, "", dialect = "duckdb")
  result <- DBI::dbSendQueryArrow(table$connection, paste0(
    "SELECT ", toString(paste(of, "AS", names)), " FROM ", core_engine_path("duckdb", table$path)
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
  x <- core_engine_path("duckdb", name)
  if (kind == "moment") {
    x <- paste0("CAST(", x, " AS DATE)")
    kind <- "date"
  }
  switch(kind,
    decimal = paste0("CAST(", x, " AS DOUBLE)"),
    text = paste0("CASE WHEN instr(", x, ", chr(0)) = 0 THEN ", x, " END"),
    date = paste0(
      "CASE WHEN ", x, " >= DATE '0001-01-01' AND ", x, " <= DATE '9999-12-31' THEN ", x, " END"
    ),
    x
  )
}
