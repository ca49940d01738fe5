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
