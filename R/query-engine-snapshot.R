# One transaction of PostgreSQL for all that a release reads there ---------------------------------
#
# It reads one snapshot and writes nothing, under settings of its own, which end with it: a role may
# have others, of which some change numbers and names, and a limit of time would depend on the rows.

# Those that bear on what is read, on what comes back, and on whether it comes.
snapshot_settings <- c(
  statement_timeout = "0", idle_in_transaction_session_timeout = "0", transaction_timeout = "0",
  jit = "off", extra_float_digits = "3", quote_all_identifiers = "off", client_encoding = "UTF8",
  client_min_messages = "error", standard_conforming_strings = "on", backslash_quote = "on",
  escape_string_warning = "off", DateStyle = "ISO, YMD", IntervalStyle = "postgres",
  TimeZone = "UTC", bytea_output = "hex", lc_numeric = "C", lc_monetary = "C", lc_time = "C",
  array_nulls = "on", transform_null_equals = "off", gin_fuzzy_search_limit = "0"
)

in_snapshot <- function(connection, body) {
  # Empty until the transaction is open: what did not begin is not ended.
  snapshot <- new.env(parent = emptyenv())
  on.exit(end_snapshot(snapshot))
  begin_snapshot(connection, snapshot)
  force(body)
}

# In a transaction that is open already it is a part of it. Then each statement reads the snapshot
# that the transaction gives it, with what the transaction itself has written.
begin_snapshot <- function(connection, snapshot = new.env(parent = emptyenv())) {
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
  snapshot
}

end_snapshot <- function(snapshot) {
  suspendInterrupts({
    for (sql in snapshot$undo) send(snapshot$connection, sql)
    snapshot$undo <- NULL
  })
}

send <- function(connection, sql) DBI::dbExecute(connection, sql)

ask_postgresql <- function(connection, sql) as.data.frame(DBI::dbGetQuery(connection, sql))

# Of those that the server knows. What is not of pg_catalog could be anything by these names.
settings_sql <- function(settings) {
  paste0(
    "SELECT pg_catalog.set_config(s.name, v.setting, true) FROM pg_catalog.pg_settings AS s JOIN (",
    "VALUES ", toString(paste0("('", names(settings), "', '", settings, "')")),
    ") AS v (name, setting) ON pg_catalog.lower(s.name) OPERATOR(pg_catalog.=) ",
    "pg_catalog.lower(v.name)"
  )
}

# A setting of one transaction lasts until the next statement where none is open. Servers say so
# otherwise in errors alone, which end a transaction, or are kept in their logs.
is_transacting <- function(connection) {
  ask <- function(sql) ask_postgresql(connection, sql)[[1]]
  ask("SELECT pg_catalog.set_config('psilence.open', 'yes', true)")
  open <- identical(ask("SELECT pg_catalog.current_setting('psilence.open', true)"), "yes")
  if (open) ask("SELECT pg_catalog.set_config('psilence.open', '', true)")
  open
}

# From here on names without a schema are those of PostgreSQL itself, whatever other schemas have.
use_own_names <- function(connection) {
  ask_postgresql(connection, settings_sql(c(search_path = "pg_catalog, pg_temp")))
}

# A table in a snapshot, which nobody can change before it ends, since a statement has named it.
# What was found before must still be so, if it is given.
in_snapshot_of <- function(connection, path, columns, call, body) {
  in_snapshot(connection, {
    hold_table(connection, path, columns, call)
    body
  })
}

hold_table <- function(connection, path, columns, call) {
  use_own_names(connection)
  known <- postgresql_columns(connection, path, call)
  now <- known[match(columns$name, known$name), ]
  if (!identical(now$type, columns$type)) {
    stop_query("source", paste0(paste(path, collapse = "."), " is another than it was."),
      "Make the table anew with `dp_tbl()`.", call
    )
  }
}

# Sends a statement that answers before it counts, and returns: `rows` waits for them, and `close`
# ends the snapshot. A server that is gone needs no end.
begin_on_postgresql <- function(connection, path, columns, sql) {
  safely <- function(code) or_engine_failed("postgresql", connection, code)
  begun <- safely(open_in_snapshot(connection, path, columns, function() {
    # Otherwise a worker might count before the server answers.
    ask_postgresql(connection, settings_sql(c(enable_parallel_append = "off")))
    result <- DBI::dbSendQuery(connection, sql)
    list(result = result, close = function() DBI::dbClearResult(result))
  }))
  list(
    rows = function() lapply(safely(DBI::dbFetch(begun$result)), as.character),
    close = function() tryCatch(begun$close(), error = function(error) NULL)
  )
}
