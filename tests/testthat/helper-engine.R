# Tables in engines that the tests start themselves.

# One connection for as long as `env` lives.
local_connection <- function(server, env = parent.frame()) {
  connection <- server$connect()
  withr::defer(DBI::dbDisconnect(connection), envir = env)
  connection
}

# The hospital's stays as a table of the engine.
stays_on <- function(connection, data = hospital(), name = "stays") {
  if (inherits(connection, "spark_connection")) {
    return(spark_table(connection, name, data))
  }
  # Otherwise R may look for a method of two arguments, before it has met those of three.
  methods::existsMethod("dbWriteTable", c(class(connection), "character", "data.frame"))
  DBI::dbWriteTable(connection, name, data, overwrite = TRUE)
  dplyr::tbl(connection, name)
}
