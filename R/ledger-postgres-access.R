# Connections of ledgers in PostgreSQL, and transactions on them.
#
# A process keeps the connection that it used last, and takes it again for the next transaction with
# the same `connect`. A forked process inherits its parent's connection. It never uses or closes it,
# because both would talk to one server. A failure or an interrupt closes the connection, and the
# server rolls back the transaction.

# Holds the connection, the `connect` that opened it, the process, and inherited connections.
idle <- new.env(parent = emptyenv())

is_idle_of_process <- function() {
  !is.null(idle$connection) && identical(idle$process, Sys.getpid())
}

# Returns the kept connection if it answers, otherwise a new one. It is no longer kept.
take_connection <- function(where) {
  connection <- idle$connection
  if (!is_idle_of_process()) {
    idle$inherited <- c(idle$inherited, list(connection))
    idle$connection <- NULL
  } else if (identical(idle$connect, connect_of(where))) {
    idle$connection <- NULL
    if (answers(connection)) {
      return(connection)
    }
    close_connection(connection)
  }
  new_connection(where)
}

keep_connection <- function(where, connection) {
  if (is_idle_of_process()) close_connection(idle$connection)
  if (is.null(idle$connect)) reg.finalizer(idle, close_idle, onexit = TRUE)
  idle$connect <- connect_of(where)
  idle$process <- Sys.getpid()
  idle$connection <- connection
}

close_idle <- function(idle) {
  if (is_idle_of_process()) close_connection(idle$connection)
}

answers <- function(connection) {
  ask <- function() nrow(DBI::dbGetQuery(connection, "SELECT 1")) == 1
  or_else(suppressWarnings(ask()), function(error) FALSE)
}

new_connection <- function(where) {
  connection <- connect_of(where)()
  if (!inherits(connection, "DBIConnection")) {
    stop_dp("`connect` must return a connection of package DBI.", "storage", call = NULL)
  }
  connection
}

# Undoes an open transaction. Never fails: the connection may be lost already.
close_connection <- function(connection) {
  cleaned_up(DBI::dbDisconnect(connection))
  invisible(NULL)
}

# Quotes the database's message, which concerns public records and names.
in_database <- function(where, code) {
  or_else(code, function(error) {
    if (inherits(error, "dp_error")) stop(error)
    reason <- sub("\n.*", "", conditionMessage(error))
    stop_dp("table `{where$table}` cannot be read or written: {reason}", "storage", call = NULL)
  })
}

with_connection <- function(where, run) {
  in_database(where, {
    connection <- take_connection(where)
    is_done <- FALSE
    on.exit(if (is_done) keep_connection(where, connection) else close_connection(connection))
    value <- run(connection)
    is_done <- TRUE
    value
  })
}

# A transaction with the lock, in the form that the core expects: an environment with its place and
# connection, whether every request was answered, and whether it was committed.
begin_access <- function(where, patience) {
  in_database(where, {
    access <- list2env(list(
      where = where, connection = take_connection(where), is_sound = FALSE, is_committed = FALSE
    ))
    is_begun <- FALSE
    on.exit(if (!is_begun) end_access(access))
    begin_transaction(access$connection)
    check_keeps_commits(access$connection, where)
    lock_first_row(access$connection, where, patience)
    access$is_sound <- TRUE
    is_begun <- TRUE
    access
  })
}

# Opens a snapshot of the table, without a lock.
begin_ledger_reading <- function(where) {
  in_database(where, {
    access <- list2env(list(
      where = where, connection = take_connection(where), is_sound = FALSE, is_committed = FALSE
    ))
    is_begun <- FALSE
    on.exit(if (!is_begun) end_access(access))
    DBI::dbExecute(access$connection, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    access$is_sound <- TRUE
    is_begun <- TRUE
    access
  })
}

in_access <- function(access, code) {
  in_database(access$where, {
    access$is_sound <- FALSE
    value <- code
    access$is_sound <- TRUE
    value
  })
}

# Rolls back an open transaction. Never fails, and does nothing the second time.
end_access <- function(access) {
  connection <- access$connection
  access$connection <- NULL
  if (is.null(connection)) {
    return(invisible(NULL))
  }
  if (access$is_sound && (access$is_committed || rolls_back(connection))) {
    keep_connection(access$where, connection)
  } else {
    close_connection(connection)
  }
  invisible(NULL)
}

rolls_back <- function(connection) {
  cleaned_up(is.numeric(DBI::dbExecute(connection, "ROLLBACK")), otherwise = FALSE)
}

# Each statement sees all transactions committed before it, so the lines are read after the lock. A
# process that stops in the middle does not keep the lock forever.
begin_transaction <- function(connection) {
  DBI::dbExecute(connection, "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
  DBI::dbGetQuery(connection, paste(
    "SELECT set_config('synchronous_commit', 'on', true),",
    "set_config('idle_in_transaction_session_timeout', '60s', true)"
  ))
}

# Waits for the lock, at most `patience` milliseconds for one holder: `xmax` of a row is the last
# transaction that locked it. Waiting starts anew if the holder changes. The server wakes the
# longest waiting connection. Between two waits the user can interrupt.
lock_first_row <- function(connection, where, patience) {
  row <- paste0("SELECT xmax::text AS holder FROM ", where$table, " WHERE seq = 0")
  seen <- NULL
  while (nrow(DBI::dbGetQuery(connection, paste(row, "FOR UPDATE SKIP LOCKED"))) == 0) {
    holder <- DBI::dbGetQuery(connection, row)$holder
    if (length(holder) == 0) {
      stop_dp("table `{where$table}` cannot be trusted: it has no first record.", "ledger",
        call = NULL
      )
    }
    now <- proc.time()[["elapsed"]]
    if (!identical(holder, seen)) {
      seen <- holder
      give_up <- now + patience / 1000
    } else if (now >= give_up) {
      stop_dp(
        paste(
          "table `{where$table}` has been locked by another connection for too long. Nothing was",
          "spent."
        ),
        "ledger",
        call = NULL
      )
    }
    wait_for_row(connection, where)
  }
}

# Waits half a second at most, whether or not the lock is free then. The limit ends with the wait.
wait_for_row <- function(connection, where) {
  DBI::dbExecute(connection, paste0(
    "DO $wait$ BEGIN PERFORM set_config('lock_timeout', '500', true); ",
    "PERFORM seq FROM ", where$table, " WHERE seq = 0 FOR UPDATE; ",
    "PERFORM set_config('lock_timeout', '0', true); ",
    "EXCEPTION WHEN lock_not_available THEN NULL; END $wait$"
  ))
}
