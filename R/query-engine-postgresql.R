# What PostgreSQL says of a table: in one snapshot, by its catalogue ------------------------------

# The path is full from here on: a name without a schema could be another table's tomorrow.
postgresql_schema <- function(connection, path, call) {
  in_snapshot(connection, {
    path <- qualified_path(connection, path)
    use_own_names(connection)
    list(path = path, columns = postgresql_columns(connection, path, call))
  })
}

# As the session finds it; what stands in its schemas must not answer in PostgreSQL's place.
qualified_path <- function(connection, path) {
  found <- ask_postgresql(connection, paste0(
    "SELECT n.nspname::pg_catalog.text AS of_schema, c.relname::pg_catalog.text AS of_table ",
    "FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ",
    "ON n.oid OPERATOR(pg_catalog.=) c.relnamespace ",
    "WHERE c.oid OPERATOR(pg_catalog.=) ", place_of(path)
  ))
  c(found$of_schema, found$of_table)
}

# Its number in the catalogue.
place_of <- function(path) {
  escaped <- gsub("\\", "\\\\", core_engine_path("postgresql", path), fixed = TRUE)
  paste0("E'", gsub("'", "''", escaped, fixed = TRUE), "'::pg_catalog.regclass")
}

# A view that the database keeps is as good as a table, and its owner answers for it. One of the
# session could be anything, and what lies in files or on other servers can fail at single rows.
postgresql_columns <- function(connection, path, call) {
  ask <- function(...) ask_postgresql(connection, paste0(...))
  if (!identical(ask("SHOW server_encoding")[[1]], "UTF8")) {
    stop_query("source", "The encoding of the PostgreSQL database must be UTF8.", call = call)
  }
  # Reads no row, and keeps others from changing the table until the snapshot ends.
  ask("SELECT 1 AS one FROM ", core_engine_path("postgresql", path), " WHERE FALSE")
  place <- place_of(path)
  is <- ask(
    "SELECT relkind::text AS kind, (relpersistence = 't')::text AS passing FROM pg_class ",
    "WHERE oid = ", place
  )
  if (is$kind == "v" && is$passing == "true") {
    refuse_engine_table(path, "a temporary view",
      "A view that the database keeps is one for all.", call
    )
  }
  if (!is$kind %in% c("r", "p", "m", "v")) {
    refuse_engine_table(path, "no table of the server's own", "Copy the rows into a table.", call)
  }
  ask(
    "SELECT a.attname::text AS name, CASE WHEN a.attgenerated::text = 'v' THEN 'virtual' ",
    "WHEN t.typname = 'citext' AND EXISTS (SELECT 1 FROM pg_depend AS d JOIN pg_extension AS e ",
    "ON e.oid = d.refobjid WHERE d.classid = 'pg_type'::regclass AND d.objid = t.oid AND ",
    "d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND e.extname = 'citext') ",
    "THEN 'citext' ELSE format_type(t.oid, NULL)::text END AS type ",
    "FROM pg_attribute AS a JOIN pg_type AS t ON t.oid = a.atttypid ",
    "WHERE a.attrelid = ", place, " AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum"
  )
}
