# What an engine says of a table: looked up before anything is charged, and public ----------------

# Names, types and kinds of the columns.
schema_of <- function(dialect, connection, path, call) {
  ask <- function(sql) as.data.frame(DBI::dbGetQuery(connection, sql))
  known <- tryCatch(
    switch(dialect,
      postgresql = postgresql_schema(ask, path, call),
      duckdb = duckdb_schema(ask, path, call),
      spark = spark_schema(ask, path, call)
    ),
    error = function(error) {
      if (inherits(error, "dp_error")) stop(error)
      stop_query("source", paste0("The engine has no table ", paste(path, collapse = "."),
        ", or does not let it be read."), call = call)
    }
  )
  known$kind <- engine_kind(dialect, tolower(known$type))
  known
}

refuse_engine_table <- function(path, what, hint, call) {
  stop_query("source", paste0(paste(path, collapse = "."), " is ", what, "."), hint, call)
}

# A view that the database keeps is as good as a table, and its owner answers for it. One of the
# session could be anything, and what lies in files or on other servers can fail at single rows.
postgresql_schema <- function(ask, path, call) {
  if (!identical(ask("SHOW server_encoding")[[1]], "UTF8")) {
    stop_query("source", "The encoding of the PostgreSQL database must be UTF8.", call = call)
  }
  table <- core_engine_path("postgresql", path)
  escaped <- gsub("\\", "\\\\", table, fixed = TRUE)
  place <- paste0("E'", gsub("'", "''", escaped, fixed = TRUE), "'::regclass")
  is <- ask(paste0(
    "SELECT relkind::text AS kind, (relpersistence = 't')::text AS passing FROM pg_class ",
    "WHERE oid = ", place
  ))
  if (is$kind == "v" && is$passing == "true") {
    refuse_engine_table(path, "a temporary view",
      "A view that the database keeps is one for all.", call
    )
  }
  if (!is$kind %in% c("r", "p", "m", "v")) {
    refuse_engine_table(path, "no table of the server's own", "Copy the rows into a table.", call)
  }
  ask(paste0(
    "SELECT attname::text AS name, CASE WHEN attgenerated::text = 'v' THEN 'virtual' ",
    "ELSE format_type(atttypid, NULL)::text END AS type FROM pg_attribute ",
    "WHERE attrelid = ", place, " AND attnum > 0 AND NOT attisdropped ORDER BY attnum"
  ))
}

# Views of DuckDB often read files, which stop at a line that does not parse, and show it.
duckdb_schema <- function(ask, path, call) {
  known <- stats::setNames(
    ask(paste("DESCRIBE", core_engine_path("duckdb", path)))[1:2], c("name", "type")
  )
  if (!is_duckdb_table(ask, path)) {
    refuse_engine_table(
      path, "no plain table of a DuckDB database", "Make one: CREATE TABLE ... AS FROM ... .", call
    )
  }
  known
}

# No view has the name, in whichever schema it would be looked for, and a table has it. Columns that
# are computed when they are read can fail like a view.
is_duckdb_table <- function(ask, path) {
  literal <- function(text) paste0("lower('", gsub("'", "''", text, fixed = TRUE), "')")
  parts <- vapply(rev(path), literal, "", USE.NAMES = FALSE)
  where <- function(name) {
    above <- paste0(" AND ", parts[-1], " IN (lower(schema_name), lower(database_name))")
    paste0("lower(", name, ") = ", parts[[1]], paste(above[seq_along(parts[-1])], collapse = ""))
  }
  found <- ask(paste0(
    "SELECT (SELECT count(*)::VARCHAR FROM duckdb_views() WHERE ", where("view_name"),
    ") AS views, (SELECT count(*)::VARCHAR FROM duckdb_tables() WHERE ", where("table_name"),
    " AND database_name IN (SELECT database_name FROM duckdb_databases() WHERE type = 'duckdb') ",
    "AND NOT contains(sql, 'GENERATED ALWAYS AS')) AS tables"
  ))
  found$views == "0" && found$tables != "0"
}

# NA for a type that queries do not read.
engine_kind <- function(dialect, type) {
  whole <- switch(dialect,
    postgresql = c("smallint", "integer", "bigint"),
    duckdb = c("tinyint", "smallint", "integer", "bigint", "utinyint", "usmallint", "uinteger"),
    spark = c("tinyint", "smallint", "int", "bigint")
  )
  text <- switch(dialect,
    postgresql = "^(text|character varying|character|citext|uuid)$",
    duckdb = "^varchar$",
    spark = "^(string( collate .*)?|varchar[(][0-9]+[)])$"
  )
  kind <- rep(NA_character_, length(type))
  kind[type == "boolean"] <- "logical"
  kind[type %in% whole] <- "whole"
  kind[type %in% c("real", "double precision", "float", "double")] <- "real"
  kind[is_readable_decimal(dialect, type)] <- "decimal"
  kind[grepl(text, type)] <- "text"
  kind[type == "date"] <- "date"
  kind
}

# Of more than 15 digits DuckDB's cast to a double may be off by its last bit.
is_readable_decimal <- function(dialect, type) {
  decimal <- grepl("^(numeric|decimal)", type)
  if (dialect == "duckdb") {
    digits <- suppressWarnings(as.integer(sub("^decimal\\(([0-9]+),.*$", "\\1", type)))
    decimal <- decimal & !is.na(digits) & digits <= 15
  }
  decimal
}
