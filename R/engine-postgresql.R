# Tables of PostgreSQL, read in one snapshot -------------------------------------------------------

#' @exportS3Method
engine_name.PqConnection <- function(connection, call) "PostgreSQL" # nolint: object_name_linter.

#' @exportS3Method
engine_name.PostgreSQLConnection <- function(connection, call) { # nolint: object_name_linter.
  stop_query("unsupported",
    "Package RPostgreSQL prints errors of PostgreSQL, which can quote private cells.",
    "Connect with `RPostgres::Postgres()`.", call
  )
}

#' @exportS3Method
engine_begin.postgresql_table <- function(table, reading) { # nolint: object_name_linter.
  begin_snapshot(table$connection, reading)
}

# Uses the full path, because a name without a schema can later mean a different table.
#' @exportS3Method
engine_schema.postgresql_table <- function(table, call) { # nolint: object_name_linter.
  path <- qualified_path(table$connection, table$path)
  use_own_names(table$connection)
  kind <- postgresql_kind(table$connection, path, call)
  columns <- postgresql_columns(table$connection, path)
  columns$kind <- engine_kind("PostgreSQL", columns$type)
  list(path = path, kind = kind, columns = columns)
}

# Resolves the path as the session does. Qualified names and operators keep user schemas from
# answering instead of pg_catalog.
qualified_path <- function(connection, path) {
  found <- ask_postgresql(connection, paste0(
    "SELECT n.nspname::pg_catalog.text AS of_schema, c.relname::pg_catalog.text AS of_table ",
    "FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ",
    "ON n.oid OPERATOR(pg_catalog.=) c.relnamespace ",
    "WHERE c.oid OPERATOR(pg_catalog.=) ", place_of(path)
  ))
  c(found$of_schema, found$of_table)
}

# The table's object id.
place_of <- function(path) {
  escaped <- gsub("\\", "\\\\", core_engine_path("PostgreSQL", path), fixed = TRUE)
  paste0("E'", gsub("'", "''", escaped, fixed = TRUE), "'::pg_catalog.regclass")
}

# A stored view counts as a table, because the data holder created it. A temporary view could
# contain anything, and foreign tables can fail at single rows.
postgresql_kind <- function(connection, path, call) {
  ask <- function(...) ask_postgresql(connection, paste0(...))
  if (!identical(ask("SHOW server_encoding")[[1]], "UTF8")) {
    stop_query("source", "The encoding of the PostgreSQL database must be UTF8.", call = call)
  }
  # Reads no row, and locks the table against changes until the snapshot ends.
  ask("SELECT 1 AS one FROM ", core_engine_path("PostgreSQL", path), " WHERE FALSE")
  is <- ask(
    "SELECT relkind::text AS kind, (relpersistence = 't')::text AS passing FROM pg_class ",
    "WHERE oid = ", place_of(path)
  )
  if (is$kind == "v" && is$passing == "true") {
    refuse_engine_table(path, "a temporary view",
      "Create a permanent view.", call
    )
  }
  if (!is$kind %in% c("r", "p", "m", "v")) {
    refuse_engine_table(path, "not a plain table or view", "Copy the rows into a table.", call)
  }
  is$kind
}

postgresql_columns <- function(connection, path) {
  ask_postgresql(connection, paste0(
    "SELECT a.attname::text AS name, CASE WHEN a.attgenerated::text = 'v' THEN 'virtual' ",
    "WHEN t.typname = 'citext' AND EXISTS (SELECT 1 FROM pg_depend AS d JOIN pg_extension AS e ",
    "ON e.oid = d.refobjid WHERE d.classid = 'pg_type'::regclass AND d.objid = t.oid AND ",
    "d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND e.extname = 'citext') ",
    "THEN 'citext' ELSE format_type(t.oid, NULL)::text END AS type ",
    "FROM pg_attribute AS a JOIN pg_type AS t ON t.oid = a.atttypid ",
    "WHERE a.attrelid = ", place_of(path), " AND a.attnum > 0 AND NOT a.attisdropped ",
    "ORDER BY a.attnum"
  ))
}

#' @exportS3Method
engine_starter.postgresql_table <- function(table) { # nolint: object_name_linter.
  function(sql) begin_on_postgresql(table, sql)
}

#' @exportS3Method
engine_stream.postgresql_table <- function(table, unit, domain) { # nolint: object_name_linter.
  pulled_rows(table, text_type = "text", text = NULL, quicker = open_words)
}

# One PostgreSQL transaction per release -----------------------------------------------------------
#
# The transaction reads one snapshot, writes nothing and has fixed settings. Settings of a role can
# change numbers and names, and a time limit would depend on the rows.

# Settings that affect which rows are read, how they are returned, or whether a statement ends.
snapshot_settings <- c(
  statement_timeout = "0", idle_in_transaction_session_timeout = "0", transaction_timeout = "0",
  jit = "off", extra_float_digits = "3", quote_all_identifiers = "off", client_encoding = "UTF8",
  client_min_messages = "error", standard_conforming_strings = "on", backslash_quote = "on",
  escape_string_warning = "off", DateStyle = "ISO, YMD", IntervalStyle = "postgres",
  TimeZone = "UTC", bytea_output = "hex", lc_numeric = "C", lc_monetary = "C", lc_time = "C",
  array_nulls = "on", transform_null_equals = "off", gin_fuzzy_search_limit = "0"
)

# Inside an open transaction, the release uses a savepoint. Each statement then reads the snapshot
# of that transaction, including its changes.
begin_snapshot <- function(connection, snapshot) {
  suspendInterrupts({
    nested <- is_transacting(connection)
    send(connection, if (nested) {
      "SAVEPOINT psilence"
    } else {
      "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    })
    snapshot$undo <- if (nested) {
      c("ROLLBACK TO SAVEPOINT psilence", "RELEASE SAVEPOINT psilence")
    } else {
      "ROLLBACK"
    }
    snapshot$connection <- connection
  })
  if (nested) send(connection, "SET LOCAL transaction_read_only = on")
  send(connection, "SET LOCAL statement_timeout = 0")
  ask_postgresql(connection, settings_sql(snapshot_settings))
}

ask_postgresql <- function(connection, sql) as.data.frame(DBI::dbGetQuery(connection, sql))

# Sets the settings that the server knows. Unqualified names could resolve to other schemas.
settings_sql <- function(settings) {
  paste0(
    "SELECT pg_catalog.set_config(s.name, v.setting, true) FROM pg_catalog.pg_settings AS s JOIN (",
    "VALUES ", toString(paste0("('", names(settings), "', '", settings, "')")),
    ") AS v (name, setting) ON pg_catalog.lower(s.name) OPERATOR(pg_catalog.=) ",
    "pg_catalog.lower(v.name)"
  )
}

# Outside a transaction, a local setting ends with its statement. Other tests raise errors, which
# abort a transaction or appear in the server log.
is_transacting <- function(connection) {
  ask <- function(sql) ask_postgresql(connection, sql)[[1]]
  ask("SELECT pg_catalog.set_config('psilence.open', 'yes', true)")
  open <- identical(ask("SELECT pg_catalog.current_setting('psilence.open', true)"), "yes")
  if (open) ask("SELECT pg_catalog.set_config('psilence.open', '', true)")
  open
}

# From here on, unqualified names resolve to pg_catalog, whatever other schemas contain.
use_own_names <- function(connection) {
  ask_postgresql(connection, settings_sql(c(search_path = "pg_catalog, pg_temp")))
}

# Sends a statement that responds before it counts. `rows()` waits for the result, and `close()`
# ends the reading. A lost connection needs no end.
begin_on_postgresql <- function(table, sql) {
  safely <- function(code) or_engine_failed(table, code)
  begun <- safely(open_reading(table, function() {
    # A parallel worker could start to count before the server responds.
    ask_postgresql(table$connection, settings_sql(c(enable_parallel_append = "off")))
    result <- DBI::dbSendQuery(table$connection, sql)
    list(result = result, close = function() DBI::dbClearResult(result))
  }))
  list(
    rows = function() lapply(safely(DBI::dbFetch(begun$result)), as.character),
    close = function() cleaned_up(begun$close())
  )
}

# PostgreSQL rows as 64-bit words ------------------------------------------------------------------
#
# For the driver, a cell costs more than a row costs the server. So the server packs the rows of
# several pages into one byte string: eight bytes per cell, in network order. Only columns of fixed
# width are packed. The length then follows from the numbers of pages and columns, and no row can
# make it too long.

# NULL if the table cannot be packed. Rows are then read cell by cell.
open_words <- function(table) {
  connection <- table$connection
  columns <- table$schema$columns
  path <- core_engine_path("PostgreSQL", table$path)
  if (!all(columns$kind %in% names(word_of_kind)) || !has_pages(connection, path)) {
    return(NULL)
  }
  result <- DBI::dbSendQuery(connection, words_sql(path, columns, pages_of_words(columns)))
  list(
    `next` = function() {
      cells <- DBI::dbFetch(result, n = 1)[[1]]
      if (length(cells) > 0) rows_of_words(cells[[1]], columns)
    },
    close = function() DBI::dbClearResult(result)
  )
}

# A page has 8 KiB and at most 291 rows, so a chunk has some MiB.
pages_of_words <- function(columns) min(512, max(8, 1536 %/% nrow(columns)))

# Before version 14, the server searched all pages for a range. Child tables have separate pages.
has_pages <- function(connection, table) {
  found <- ask_postgresql(connection, paste0(
    "SELECT c.relkind = 'r' AND NOT c.relhassubclass AND a.amname = 'heap' AND ",
    "CAST(current_setting('server_version_num') AS integer) >= 140000 FROM pg_class AS c ",
    "JOIN pg_am AS a ON a.oid = c.relam WHERE c.oid = CAST(", quoted_text(table), " AS regclass)"
  ))[[1]]
  isTRUE(found)
}

# One statement reads one snapshot, so all its rows are on pages that existed at the start. Each
# chunk is one row of the result. A chunk without rows is NULL.
words_sql <- function(table, columns, pages) {
  word <- mapply(
    function(name, kind) word_of_kind[[kind]](core_engine_path("PostgreSQL", name)),
    columns$name, columns$kind
  )
  at <- function(page) paste0("CAST('(' || CAST(", page, " AS text) || ',0)' AS tid)")
  # The last page number is invalid.
  end <- paste0("LEAST(chunk.page + ", pages, ", 4294967295)")
  size <- paste0("pg_relation_size(CAST(", quoted_text(table), " AS regclass))")
  paste0(
    "SELECT of_pages.words FROM generate_series(0, ", size,
    " / CAST(current_setting('block_size') AS bigint), ", pages, ") AS chunk(page), ",
    "LATERAL (SELECT string_agg(", paste(word, collapse = " || "), ", '') AS words FROM ONLY ",
    table, " WHERE ctid >= ", at("chunk.page"), " AND ctid < ", at(end),
    ") AS of_pages"
  )
}

# Never fails. The least integer or NaN means missing, and neither is a value in any engine.
word_of_kind <- list(
  logical = function(x) {
    word_of_real(paste0("CASE WHEN ", x, " THEN 1 WHEN NOT ", x, " THEN 0 END"))
  },
  whole = function(x) {
    paste0("int8send(COALESCE(CAST(", x, " AS bigint), CAST('-9223372036854775808' AS bigint)))")
  },
  real = function(x) word_of_real(x),
  date = function(x) {
    word_of_real(paste0(
      "CASE WHEN ", x, " >= DATE '0001-01-01' AND ", x, " <= DATE '9999-12-31' THEN ", x,
      " - DATE '1970-01-01' END"
    ))
  }
)

word_of_real <- function(x) {
  paste0("float8send(COALESCE(CAST(", x, " AS float8), CAST('NaN' AS float8)))")
}

rows_of_words <- function(bytes, columns) {
  bytes <- if (is.null(bytes)) raw() else bytes
  words <- readBin(bytes, "double", length(bytes) / 8, endian = "big")
  words <- matrix(words, nrow = nrow(columns))
  cells <- lapply(seq_len(nrow(columns)), function(i) {
    switch(columns$kind[[i]],
      logical = as.logical(words[i, ]),
      whole = structure(words[i, ], class = "integer64"),
      real = words[i, ],
      date = structure(words[i, ], class = "Date")
    )
  })
  structure(stats::setNames(cells, columns$name),
    row.names = .set_row_names(ncol(words)), class = "data.frame"
  )
}
