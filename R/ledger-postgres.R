#' Store a ledger in PostgreSQL
#'
#' A team that shares no disk keeps its ledger in a database. The records have the same chain and
#' the same checks, and the table is append-only. Pass the result as `where` to
#' [dp_ledger_create()], [dp_ledger()] and [dp_ledger_verify()].
#'
#' Each transaction locks the row of the first record, reads the new records, appends one record,
#' and commits. Noise is drawn after the commit. Releases are stored in a second table,
#' `<table>_kept`. While a process runs a release it keeps a second connection, whose advisory lock
#' makes others wait for its answer. The server ends that lock when the process dies.
#'
#' @param connect (`function()`) Opens a connection of package DBI to PostgreSQL, such as
#'   `function() DBI::dbConnect(RPostgres::Postgres(), dbname = "budgets")`. It is called once in
#'   each process, again if the connection was lost, and whenever another function was used in
#'   between. The connection is closed with the process.
#' @param table (`character(1)`) Name of the table: lower-case letters, digits and underscores, with
#'   an optional schema before a point. [dp_ledger_create()] makes the table.
#' @param x (`dp_postgres`) Place to print or format.
#' @param ... Not used.
#' @returns An object of class `dp_postgres`. It does not connect yet. `saveRDS()` does not write
#'   `connect`, which may hold a password: call `dp_postgres()` again in each process.
#' @section Rights: Analysts need `SELECT` and `INSERT` on the table, and `UPDATE` to lock its first
#'   row. A trigger forbids changing or deleting rows. They need the same three on `<table>_kept`,
#'   to store releases. Without them a release is charged, but not stored. To read with
#'   `dp_ledger(where, pubkey = )`, `SELECT` on both is enough. The owner of the table, and
#'   administrators of the server, can remove the trigger. Their changes are detected, as in a file,
#'   unless they rewrite the whole chain. A [dp_key()], and heads that are kept elsewhere, detect
#'   that, too.
#' @section Errors: `dp_error_storage` if the database fails, cannot be reached, or does not keep
#'   commits (`fsync` is off, or the table is unlogged). If that happens while a record is written,
#'   the record may exist: open the ledger again. Charges stay. `dp_error_ledger` if one transaction
#'   of another connection holds the lock for 30 seconds. `dp_error_missing_package` without package
#'   DBI. `dp_error_stale_object` for a place that was saved and loaded.
#' @examples
#' if (requireNamespace("DBI", quietly = TRUE)) {
#'   place <- dp_postgres(function() DBI::dbConnect(RPostgres::Postgres(), dbname = "budgets"))
#'   place
#'   \dontrun{
#'   ledger <- dp_ledger_create(place, "survey", dp_unit(changes = 1), dp_epsilon(1),
#'     version = "2026-03"
#'   )
#'   }
#' }
#' @export
dp_postgres <- function(connect, table = "psilence_ledger", ...) {
  check_names(...)
  check_function(connect)
  check_string(table)
  if (!grepl("^([a-z_][a-z0-9_]{0,49}[.])?[a-z_][a-z0-9_]{0,49}$", table)) {
    stop_argument("a name of lower-case letters, digits and underscores", "another string", "table",
      environment()
    )
  }
  if (!requireNamespace("DBI", quietly = TRUE)) {
    stop_dp("package DBI is needed for a ledger in a database.", "missing_package", package = "DBI")
  }
  # The function, or its environment, may hold a password.
  structure(list(connect = core_hide(connect), table = table), class = "dp_postgres")
}

connect_of <- function(where) {
  revealed(where$connect, "Say where the ledger is again: `dp_postgres(connect)`.")
}

#' @rdname dp_postgres
#' @export
format.dp_postgres <- function(x, ...) paste0("<dp_postgres> table ", x$table)

#' @rdname dp_postgres
#' @export
print.dp_postgres <- function(x, ...) {
  cat(format(x), "\n", sep = "")
  invisible(x)
}

# nolint start: object_name_linter. Methods, of generics that the linter does not see.
#' @exportS3Method
describe_place.dp_postgres <- function(where) c("table", where$table)

# Other databases can have a table with this name.
#' @exportS3Method
record_of_place.dp_postgres <- function(where) {
  found <- with_connection(where, function(connection) {
    DBI::dbGetQuery(connection, paste(
      "SELECT current_database() AS database, current_schema() AS schema,",
      "system_identifier::text AS server FROM pg_control_system()"
    ))
  })
  paste0(
    "table ", where$table, " in database ", found$database, " (schema ", found$schema, ", server ",
    found$server, ")"
  )
}

#' @exportS3Method
name_of_place.dp_postgres <- function(where) {
  paste0("dp_postgres(connect, ", encodeString(where$table, quote = "\""), ")")
}

#' @exportS3Method
ledger_store.dp_postgres <- function(where) {
  list(
    name = paste0("table `", where$table, "`"),
    begin = function(patience) begin_access(where, patience),
    lines = function(access, from, most) {
      in_access(access, read_lines(where, access$connection, from, most))
    },
    stored = function(access, name) {
      in_access(access, stored_texts(where, access$connection, name)[[1]])
    },
    append = function(access, seq, line) {
      in_access(access, commit_lines(access$connection, where, seq, line))
      access$is_committed <- TRUE
      end_access(access)
    },
    end = end_access,
    lease = function(charge, patience) take_lease(where, charge, patience),
    unlease = end_lease,
    vacant = function() check_vacant_table(where),
    create = function(lines) create_tables(where, lines)
  )
}

#' @exportS3Method
ledger_to_read_from.dp_postgres <- function(where) {
  store <- ledger_store(where)
  store$begin <- function(patience) begin_ledger_reading(where)
  store
}

#' @exportS3Method
kept_bytes.dp_postgres <- function(where, names) {
  if (length(names) == 0) {
    return(list())
  }
  texts <- with_connection(where, function(connection) stored_texts(where, connection, names))
  lapply(texts, function(text) if (!is.null(text)) charToRaw(text))
}

#' @exportS3Method
keep_text.dp_postgres <- function(where, name, text) {
  with_connection(where, function(connection) {
    DBI::dbExecute(connection, "SET synchronous_commit = on")
    kept <- DBI::dbExecute(connection, paste0(
      "INSERT INTO ", where$table, "_kept (name, content) VALUES (",
      sql_text(connection, name), ", ", sql_text(connection, text),
      ") ON CONFLICT (name) DO UPDATE SET content = EXCLUDED.content"
    ))
    if (kept != 1) stop_dp("table `{where$table}_kept` takes no rows.", "storage", call = NULL)
  })
}
# nolint end

# Tables of a ledger in PostgreSQL -----------------------------------------------------------------

# Tries to make the tables, because a ledger that moves is closed before they are made for good.
check_vacant_table <- function(where) {
  with_connection(where, function(connection) {
    begin_transaction(connection)
    make_tables(connection, where)
    DBI::dbExecute(connection, "ROLLBACK")
  })
}

refuse_table <- function(connection, where) {
  sql <- paste0("SELECT to_regclass('", where$table, "') IS NULL AS vacant")
  if (!DBI::dbGetQuery(connection, sql)$vacant) {
    stop_dp("table `{where$table}` exists: open it with dp_ledger().", "ledger", call = NULL)
  }
}

create_tables <- function(where, lines) {
  with_connection(where, function(connection) {
    begin_transaction(connection)
    make_tables(connection, where)
    commit_lines(connection, where, 0, lines)
  })
}

make_tables <- function(connection, where) {
  refuse_table(connection, where)
  for (sql in table_definitions(where$table)) DBI::dbExecute(connection, sql)
  check_keeps_commits(connection, where)
}

table_definitions <- function(table) {
  c(
    sprintf("CREATE TABLE %s (seq bigint PRIMARY KEY, line text NOT NULL)", table),
    # The core rejects a second claim. This index does so even if another program writes.
    sprintf("CREATE UNIQUE INDEX ON %s ((line::jsonb ->> 'claim'))", table),
    sprintf("CREATE TABLE %s_kept (name text PRIMARY KEY, content text NOT NULL)", table),
    sprintf(paste(
      "CREATE FUNCTION %s_refuse() RETURNS trigger LANGUAGE plpgsql AS",
      "'BEGIN RAISE EXCEPTION ''a ledger is only ever appended to''; END'"
    ), table),
    sprintf(paste(
      "CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %s",
      "FOR EACH STATEMENT EXECUTE FUNCTION %s_refuse()"
    ), table, table)
  )
}

# Reads and writes the lines of a ledger in PostgreSQL ---------------------------------------------

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

# Leases of charges in PostgreSQL ------------------------------------------------------------------

# An advisory lock of a connection that does nothing else. The server ends it with the connection,
# so with the process. Tables of old versions support it, too.

# Returns the connection that has the lease, or NULL if another one has kept it for `patience`
# milliseconds.
take_lease <- function(where, charge, patience) {
  in_database(where, {
    connection <- new_connection(where)
    has_lease <- FALSE
    on.exit(if (!has_lease) close_connection(connection))
    give_up <- proc.time()[["elapsed"]] + patience / 1000
    repeat {
      found <- DBI::dbGetQuery(connection, lease_call("pg_try_advisory_lock", where, charge))
      has_lease <- found[[1]]
      if (has_lease || proc.time()[["elapsed"]] >= give_up) break
      Sys.sleep(0.05)
    }
    if (has_lease) list(where = where, charge = charge, connection = connection)
  })
}

# The server may need time to notice that a connection was closed.
end_lease <- function(lease) {
  call <- lease_call("pg_advisory_unlock", lease$where, lease$charge)
  cleaned_up(DBI::dbGetQuery(lease$connection, call))
  close_connection(lease$connection)
}

# The pair of table and charge names the lease among all locks of the database.
lease_call <- function(name, where, charge) {
  sprintf("SELECT %s('%s'::regclass::oid::int4, %.0f::int4)", name, where$table, charge)
}
