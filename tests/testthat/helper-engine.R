# Tables in engines that the tests start.

# Opens a connection while `env` lives.
local_connection <- function(server, env = parent.frame()) {
  connection <- server$connect()
  withr::defer(DBI::dbDisconnect(connection), envir = env)
  connection
}

# Each test begins without tables.
empty_postgres <- function(server, env) {
  on_server(server, "DROP SCHEMA public CASCADE")
  on_server(server, "CREATE SCHEMA public")
  connection <- server$connect()
  withr::defer(if (DBI::dbIsValid(connection)) DBI::dbDisconnect(connection), envir = env)
  connection
}

# Columns of dates are texts.
open_sqlite <- function(env) {
  connection <- DBI::dbConnect(RSQLite::SQLite(), extended_types = TRUE)
  withr::defer(if (DBI::dbIsValid(connection)) DBI::dbDisconnect(connection), envir = env)
  connection
}

# The hospital's stays as an engine table. An engine has a method if DBI::dbWriteTable() does not
# keep all values.
stays_on <- function(connection, data = hospital(), name = "stays") UseMethod("stays_on")

stays_on.default <- function(connection, data = hospital(), name = "stays") {
  # Otherwise R may look for a two-argument method before it has seen the three-argument ones.
  methods::existsMethod("dbWriteTable", c(class(connection), "character", "data.frame"))
  nan <- vapply(data, function(x) is.double(x) && any(is.nan(x)), TRUE)
  written <- data
  written[nan] <- lapply(data[nan], function(x) replace(x, is.nan(x), as.double(instead_of_nan)))
  DBI::dbWriteTable(connection, name, written, overwrite = TRUE)
  for (column in names(data)[nan]) {
    DBI::dbExecute(connection, sprintf(
      "UPDATE \"%s\" SET \"%s\" = 'NaN' WHERE \"%s\" = %s", name, column, column, instead_of_nan
    ))
  }
  dplyr::tbl(connection, name)
}

# Drivers write NaN as a missing value.
instead_of_nan <- "8.7654321e300"
