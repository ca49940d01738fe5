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
