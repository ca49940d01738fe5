# Leases of charges in PostgreSQL: an advisory lock of a connection that does nothing else. The
# server ends it with the connection, so with the process. Tables of old versions support it, too.

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
