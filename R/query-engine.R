# Private tables in an engine -------------------------------------------------------------------
#
# The core writes the statement (src/core/sql/), the engine counts, integers come back as text. DBI
# brings the connection, dbplyr the table's name; neither writes a word of what is sent.

# A table of an engine as the core takes it: dialect, path, names and kinds of the columns, and the
# function that sends a statement.
new_engine <- function(dialect, connection, path, columns) {
  structure(list(
    dialect = dialect, path = path, names = columns$name, kinds = columns$kind,
    run = function(sql) lapply(DBI::dbGetQuery(connection, sql), as.character),
    version = columns$version
  ), class = "dp_engine")
}

is_engine_table <- function(data) inherits(data, "tbl_lazy")

engine_of <- function(data, columns, call) {
  needs_packages(c("DBI", "dbplyr"), call)
  path <- bare_path(data, call)
  connection <- dbplyr::remote_con(data)
  dialect <- dialect_of(connection, call)
  known <- schema_of(dialect, connection, path, call)
  absent <- setdiff(columns, known$name)
  if (length(absent) > 0) {
    stop_query("domain", paste0("The data have no column ", listed(absent, "or"), "."),
      "Names in `dp_domain()` and `dp_unit(id = )` are those of the data.", call
    )
  }
  known <- known[match(columns, known$name), ]
  unread <- known$name[is.na(known$kind)]
  if (length(unread) > 0) {
    stop_query("source", paste0("Column ", quoted(unread[[1]]), " is of the engine's type ",
      known$type[match(unread[[1]], known$name)], ", which queries do not read."),
      "A view can convert it.", call
    )
  }
  new_engine(dialect, connection, path, known)
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

# The name of the table itself. What already carries verbs may have moved any number of rows of one
# person, and so may text that was written by hand.
bare_path <- function(data, call) {
  query <- data$lazy_query
  bare <- inherits(query, "lazy_base_remote_query") && length(dplyr::group_vars(data)) == 0
  path <- if (bare) path_parts(query$x)
  if (is.null(path)) {
    stop_query("source", "`data` is not a table as it stands in the engine.",
      "Give `tbl(con, \"visits\")` itself, and put verbs after `dp_tbl()`.", call
    )
  }
  path
}

# NULL for what is no name.
path_parts <- function(x) {
  parts <- if (inherits(x, "dbplyr_schema") || inherits(x, "dbplyr_catalog")) {
    unlist(lapply(unclass(x), as.character), use.names = FALSE)
  } else if (inherits(x, "Id")) {
    unname(x@name)
  } else if (inherits(x, "dbplyr_table_path")) {
    strsplit(as.character(x), ".", fixed = TRUE)[[1]]
  } else if (inherits(x, "ident") && !inherits(x, "ident_q")) {
    as.character(x)
  }
  if (length(parts) == 0 || anyNA(parts)) NULL else enc2utf8(gsub("^[\"`]|[\"`]$", "", parts))
}

dialect_of <- function(connection, call) {
  if (inherits(connection, c("PqConnection", "PostgreSQLConnection"))) {
    "postgresql"
  } else if (inherits(connection, "duckdb_connection")) {
    "duckdb"
  } else if (inherits(connection, "spark_connection")) {
    "spark"
  } else {
    stop_query("unsupported", paste0("Tables of a ", class(connection)[[1]], " are not read."),
      "Engines are PostgreSQL, DuckDB and Spark; else give a data frame.", call
    )
  }
}

# Names, types and kinds of the columns: looked up before anything is charged, and public.
schema_of <- function(dialect, connection, path, call) {
  table <- core_engine_path(dialect, path)
  ask <- function(sql) as.data.frame(DBI::dbGetQuery(connection, sql))
  known <- tryCatch(
    switch(dialect,
      postgresql = postgresql_schema(ask, table, call),
      duckdb = stats::setNames(ask(paste("DESCRIBE", table))[1:2], c("name", "type")),
      spark = stats::setNames(ask(paste("DESCRIBE TABLE", table))[1:2], c("name", "type"))
    ),
    dp_error = function(error) stop(error),
    error = function(error) {
      stop_query("source", paste0("The engine has no table ", paste(path, collapse = "."),
        ", or does not let it be read."), call = call)
    }
  )
  known$kind <- engine_kind(dialect, tolower(known$type))
  known
}

postgresql_schema <- function(ask, table, call) {
  if (!identical(ask("SHOW server_encoding")[[1]], "UTF8")) {
    stop_query("source", "The encoding of the PostgreSQL database must be UTF8.", call = call)
  }
  escaped <- gsub("\\", "\\\\", table, fixed = TRUE)
  literal <- paste0("E'", gsub("'", "''", escaped, fixed = TRUE), "'")
  ask(paste0(
    "SELECT attname::text AS name, format_type(atttypid, NULL)::text AS type FROM pg_attribute ",
    "WHERE attrelid = ", literal, "::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum"
  ))
}

# NA for a type that queries do not read.
engine_kind <- function(dialect, type) {
  whole <- switch(dialect,
    postgresql = c("smallint", "integer", "bigint"),
    duckdb = c("tinyint", "smallint", "integer", "bigint", "utinyint", "usmallint", "uinteger"),
    spark = c("tinyint", "smallint", "int", "bigint")
  )
  text <- switch(dialect,
    postgresql = c("text", "character varying", "character", "citext", "uuid"),
    duckdb = "varchar",
    spark = "string"
  )
  kind <- rep(NA_character_, length(type))
  kind[type == "boolean"] <- "logical"
  kind[type %in% whole] <- "whole"
  kind[type %in% c("real", "double precision", "float", "double")] <- "real"
  kind[is_readable_decimal(dialect, type)] <- "decimal"
  kind[type %in% text] <- "text"
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

# What R accepts of a column in memory, for one in an engine: the core says so, by name.
check_engine_query <- function(query, engine, call) {
  from_core(core_query_sql(form_of_query(query), engine), call)
  invisible()
}
