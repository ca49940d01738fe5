# SQLite's catalogue: public facts, read before the charge -----------------------------------------

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
quoted_text <- function(text) paste0("'", gsub("'", "''", enc2utf8(text), fixed = TRUE), "'")
