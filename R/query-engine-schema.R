# What an engine says of a table: looked up before anything is charged, and public ----------------

# The full path, and names, types and kinds of the columns.
schema_of <- function(dialect, connection, path, call) {
  ask <- function(sql) as.data.frame(DBI::dbGetQuery(connection, sql))
  found <- or_no_table(path, call, switch(dialect,
    postgresql = postgresql_schema(connection, path, call),
    duckdb = list(path = path, columns = duckdb_schema(ask, path, call)),
    spark = list(path = path, columns = spark_schema(ask, path, call))
  ))
  found$columns$kind <- engine_kind(dialect, tolower(found$columns$type))
  found
}

# What an engine says when it is asked for a table is not for users.
or_no_table <- function(path, call, body) {
  tryCatch(body, error = function(error) {
    if (inherits(error, "dp_error")) stop(error)
    stop_query("source", paste0("The engine has no table ", paste(path, collapse = "."),
      ", or does not let it be read."), call = call)
  })
}

refuse_engine_table <- function(path, what, hint, call) {
  stop_query("source", paste0(paste(path, collapse = "."), " is ", what, "."), hint, call)
}

# Views of DuckDB often read files, which stop at a line that does not parse, and show it.
duckdb_schema <- function(ask, path, call) {
  check_no_macros(ask, call)
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

# A macro of any database stands before a function of DuckDB's own, even before its `+` and `sum`.
check_no_macros <- function(ask, call) {
  # DuckDB takes a while to list its own, which few databases make necessary.
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
    stop_query("source", paste0("A macro of DuckDB's takes the place of its function `",
      found[[1]][[1]], "`."), "Drop it, or give it another name.", call
    )
  }
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
