# Tables of SQLite ---------------------------------------------------------------------------------
#
# SQLite runs in this process, and a column can hold cells of different types. A projection that
# cannot fail gives each column one type.

#' @exportS3Method
engine_name.SQLiteConnection <- function(connection, call) "SQLite" # nolint: object_name_linter.

#' @exportS3Method
engine_routes.sqlite_table <- function(table) "stream" # nolint: object_name_linter.

# A savepoint starts a transaction if none is open.
#' @exportS3Method
engine_begin.sqlite_table <- function(table, reading) { # nolint: object_name_linter.
  suspendInterrupts({
    send(table$connection, "SAVEPOINT psilence")
    reading$undo <- "RELEASE psilence"
    reading$connection <- table$connection
  })
}

# Views, virtual tables and computed columns can fail at single rows. Views and virtual tables have
# root page 0.
#' @exportS3Method
engine_schema.sqlite_table <- function(table, call) { # nolint: object_name_linter.
  ask <- function(...) {
    as.data.frame(suspendInterrupts(DBI::dbGetQuery(table$connection, paste0(...))))
  }
  name <- quoted_text(table$path[[length(table$path)]])
  for (database in sqlite_databases(ask, table$path)) {
    found <- ask(
      "SELECT name, rootpage FROM ", sqlite_name(database),
      ".sqlite_master WHERE type IN ('table', 'view') AND name = ", name, " COLLATE NOCASE"
    )
    if (nrow(found) > 0) break
  }
  columns <- ask(
    "SELECT name, type, hidden FROM pragma_table_xinfo(", name, ", ", quoted_text(database), ")"
  )
  computed <- columns$name[columns$hidden != 0]
  if (found$rootpage == 0 || any(table$names %in% computed)) {
    refuse_engine_table(table$path, "not a plain table, or has computed columns",
      "Make one: CREATE TABLE ... AS SELECT ... .", call
    )
  }
  list(path = c(database, found$name), kind = "table", columns = columns[c("name", "type")])
}

# Databases, in the order of SQLite's search for a table.
sqlite_databases <- function(ask, path) {
  if (length(path) > 1) {
    return(path[[1]])
  }
  unique(c("temp", "main", ask("SELECT name FROM pragma_database_list ORDER BY seq")$name))
}

sqlite_name <- function(name) paste0("\"", gsub("\"", "\"\"", enc2utf8(name), fixed = TRUE), "\"")


# Qualifies column names, because SQLite reads an unknown quoted name as a text.
#' @exportS3Method
engine_stream.sqlite_table <- function(table, unit, domain) { # nolint: object_name_linter.
  columns <- table$schema$columns
  read <- Map(function(name, type) {
    cell <- paste0("of_table.", sqlite_name(name))
    sqlite_column(cell, sqlite_reading(domain[[name]], name %in% unit$id, type),
      name %in% unit$id, domain[[name]][["na"]]
    )
  }, columns$name, columns$type)
  from <- paste(paste(sqlite_name(table$path), collapse = "."), "AS of_table")
  streamed_engine(table,
    function() open_chunks(table$connection, from, read),
    function() open_chunks(table$connection, from, read, notes = TRUE)
  )
}

# The SQL projection of a column, and the function that makes an R vector. It must also handle a
# chunk without values, which can have any type.
sqlite_column <- function(x, reading, is_id, codes = NULL) {
  text <- paste0("WHEN typeof(", x, ") = 'text' AND instr(", x, ", char(0)) = 0")
  whole <- paste0("WHEN typeof(", x, ") = 'integer'")
  number <- paste0(
    "WHEN typeof(", x, ") = 'real' THEN ", x, " ", whole, " THEN CAST(", x, " AS REAL)"
  )
  column <- function(cases, as) {
    sql <- paste("CASE", cases, "END")
    # The least integer is missing in every engine.
    is_unread <- paste0(
      x, " IS NOT NULL AND ", x, " <> -9223372036854775808 AND (", sql, ") IS NULL",
      if (reading == "truth") not_in(x, codes)
    )
    list(sql = sql, as = as, is_unread = is_unread)
  }
  switch(reading,
    id = column(paste0(text, " THEN 't' || ", x, " ", sqlite_digits(x, "'i' || ")), as.character),
    text = column(paste(text, "THEN", x), as.character),
    rounded = column(sqlite_digits(x, rounds = TRUE),
      function(cells) core_integer64_from_text(as.character(cells))
    ),
    whole = column(sqlite_digits(x), function(cells) core_integer64_from_text(as.character(cells))),
    # As an id, only 0 and 1 are read: other numbers would all be TRUE, which would merge people.
    truth = column(
      paste0(whole, if (is_id) paste(" AND", x, "IN (0, 1)"), not_in(x, codes), " THEN ", x,
        " <> 0"
      ),
      as.logical
    ),
    # Numbers become texts, because a column needs one type and the core parses texts.
    date = column(
      paste0(
        "WHEN typeof(", x, ") IN ('integer', 'real') AND ", x, " >= -719162 AND ", x,
        " < 2932897 THEN date(CAST(", x, " AS INTEGER) - (", x, " < CAST(", x,
        " AS INTEGER)) + 2440587.5) ", text, " THEN ", x
      ),
      as.character
    ),
    column(number, as.double)
  )
}

not_in <- function(x, codes) {
  if (length(codes) > 0) paste0(" AND ", x, " NOT IN (", toString(sprintf("%.17g", codes)), ")")
}

# Chooses how to read a column. Doubles are faster than digits. They are exact enough if all whole
# numbers beyond 2^53 exceed the same bound. Ids and keys need every digit, unless the column holds
# only doubles.
sqlite_reading <- function(declared, is_id, in_table) {
  type <- declared$type %||% "id"
  number <- type %in% c("integer", "real") || isTRUE(declared$whole)
  if (type == "levels" && core_engine_type("SQLite", in_table) == "text") {
    return("text")
  }
  if (holds_reals(in_table) && (number || type == "id")) {
    return("number")
  }
  if (!is_id && type == "integer" && is.null(declared$lower)) {
    return("rounded")
  }
  if (number && (is_id || type == "levels")) {
    return("whole")
  }
  switch(type, levels = "text", logical = "truth", integer = , real = "number", type)
}

# Whether the declared type makes SQLite store all numbers as doubles.
holds_reals <- function(type) {
  grepl("REAL|FLOA|DOUB", toupper(type)) && !grepl("INT|CHAR|CLOB|TEXT|BLOB", toupper(type))
}

# The digits of a 64-bit whole number, even if SQLite stores it as a real. The least integer is NA
# in integer64, and missing in every engine.
sqlite_digits <- function(x, before = "", rounds = FALSE) {
  # Adding 1.5 * 2^52 rounds to nearest, ties to even.
  rounded <- if (rounds) {
    paste0(
      "WHEN typeof(", x, ") = 'real' AND ", x, " > -2251799813685248.0 AND ", x,
      " < 2251799813685248.0 THEN CAST(CAST((", x, " + 6755399441055744.0) - 6755399441055744.0 ",
      "AS INTEGER) AS TEXT) "
    )
  }
  paste0(
    "WHEN typeof(", x, ") = 'integer' AND ", x, " >= -9223372036854775807 THEN ", before, "CAST(",
    x, " AS TEXT) ", rounded, "WHEN typeof(", x, ") = 'real' AND ", x,
    " > -9223372036854775808.0 AND ", x,
    " < 9223372036854775808.0 AND CAST(", x, " AS INTEGER) = ", x, " THEN ", before, "CAST(CAST(",
    x, " AS INTEGER) AS TEXT)"
  )
}
