# A PostgreSQL of the tests' own, with a connection to it, until the test ends.
local_postgresql <- function(env = parent.frame()) {
  testthat::skip_if_not_installed("RPostgreSQL")
  testthat::skip_if_not_installed("dbplyr")
  programs <- dirname(Sys.glob("/usr/lib/postgresql/*/bin/initdb"))
  testthat::skip_if(length(programs) == 0, "no PostgreSQL")
  programs <- utils::tail(programs, 1)
  home <- tempfile("psilence-pg-", tmpdir = "/tmp")
  dir.create(home)
  as <- character()
  if (Sys.info()[["effective_user"]] == "root") { # as whom the server does not run
    system2("chown", c("postgres", home))
    as <- c("setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups")
  }
  run <- function(program, ...) {
    command <- c(as, file.path(programs, program), ...)
    withr::with_dir(home, processx::run(command[[1]], command[-1], stdout = NULL, stderr = NULL))
  }
  data <- file.path(home, "data")
  run("initdb", "-D", data, "-U", "tests", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N")
  options <- paste0("-k '", home, "' -c listen_addresses= -c fsync=off")
  run("pg_ctl", "-D", data, "-o", options, "-w", "-l", file.path(home, "log"), "start")
  withr::defer(
    {
      run("pg_ctl", "-D", data, "-m", "immediate", "stop")
      unlink(home, recursive = TRUE)
    },
    envir = env
  )
  connection <- DBI::dbConnect(DBI::dbDriver("PostgreSQL"),
    host = home, user = "tests", dbname = "postgres"
  )
  withr::defer(DBI::dbDisconnect(connection), envir = env)
  connection
}

# The hospital's stays as a table of the engine, with names that need quotes.
stays_in_postgresql <- function(connection, data = hospital()) {
  DBI::dbExecute(connection, "CREATE TABLE stays (patient text, ward text, days integer, cost float8, urgent boolean, admitted date)") # nolint: line_length_linter.
  quote <- function(x) ifelse(is.na(x), "NULL", paste0("'", x, "'"))
  rows <- do.call(paste, c(unname(lapply(data, function(x) quote(as.character(x)))), sep = ", "))
  values <- paste0("(", rows, ")", collapse = ", ")
  DBI::dbExecute(connection, paste("INSERT INTO stays VALUES", values))
  dplyr::tbl(connection, "stays")
}
