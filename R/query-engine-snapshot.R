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

# In a transaction that is open already it is a part of it. Then each statement reads the snapshot
# that the transaction gives it, with what the transaction itself has written.
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

# Sends a statement that answers before it counts, and returns: `rows` waits for them, and `close`
# ends the reading. A server that is gone needs no end.
begin_on_postgresql <- function(table, sql) {
  safely <- function(code) or_engine_failed(table, code)
  begun <- safely(open_reading(table, function() {
    # Otherwise a worker might count before the server answers.
    ask_postgresql(table$connection, settings_sql(c(enable_parallel_append = "off")))
    result <- DBI::dbSendQuery(table$connection, sql)
    list(result = result, close = function() DBI::dbClearResult(result))
  }))
  list(
    rows = function() lapply(safely(DBI::dbFetch(begun$result)), as.character),
    close = function() cleaned_up(begun$close())
  )
}
