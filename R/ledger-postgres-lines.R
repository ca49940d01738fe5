# Reads and writes the lines of a ledger in PostgreSQL.

# Reads named texts: a list of strings, NULL for names without a text.
stored_texts <- function(where, connection, names) {
  wanted <- paste(sql_text(connection, names), collapse = ", ")
  found <- DBI::dbGetQuery(connection, paste0(
    "SELECT name, content FROM ", where$table, "_kept WHERE name IN (", wanted, ")"
  ))
  lapply(match(names, found$name), function(row) {
    if (!is.na(row)) enc2utf8(found$content[[row]])
  })
}

sql_text <- function(connection, text) as.character(DBI::dbQuoteString(connection, text))

check_keeps_commits <- function(connection, where) {
  found <- DBI::dbGetQuery(connection, paste0(
    "SELECT current_setting('fsync') AS fsync, relpersistence::text AS kind FROM pg_class ",
    "WHERE oid = to_regclass('", where$table, "')"
  ))
  if (nrow(found) == 0) {
    stop_dp("there is no table `{where$table}`: make it with dp_ledger_create().", "storage",
      call = NULL
    )
  }
  if (found$fsync != "on" || found$kind != "p") {
    stop_dp(
      paste(
        "table `{where$table}` is unlogged, or its server has `fsync` off: a crash would lose",
        "charges."
      ),
      "storage",
      call = NULL
    )
  }
}

read_lines <- function(where, connection, from, most) {
  sql <- sprintf("SELECT line FROM %s WHERE seq >= %.0f ORDER BY seq LIMIT %.0f", where$table, from,
    most
  )
  as.character(DBI::dbGetQuery(connection, sql)$line)
}

# Appends lines, the first of them as record `from`, and ends the transaction. A driver may miss
# that a commit failed or was undone, so the new records are read again.
commit_lines <- function(connection, where, from, lines) {
  for (i in seq_along(lines)) insert_line(connection, where, from + i - 1, lines[[i]])
  commit(connection)
  if (!identical(read_lines(where, connection, from, length(lines)), as.character(lines))) {
    stop_dp("table `{where$table}` has not kept a record.", "storage", call = NULL)
  }
}

# A rule or a trigger may swallow a row without an error.
insert_line <- function(connection, where, seq, line) {
  added <- DBI::dbExecute(connection, sprintf(
    "INSERT INTO %s (seq, line) VALUES (%.0f, %s)", where$table, seq, sql_text(connection, line)
  ))
  if (added != 1) stop_dp("table `{where$table}` takes no rows.", "storage", call = NULL)
}

commit <- function(connection) DBI::dbExecute(connection, "COMMIT")
