# A PostgreSQL server for tests, in a temporary folder. It listens only on a socket and runs as a
# non-root user, because PostgreSQL refuses to run as root.

postgres_program <- function(name) {
  found <- c(Sys.which(name), Sys.glob(file.path("/usr/lib/postgresql/*/bin", name)))
  found <- found[nzchar(found)]
  if (length(found) == 0) stop("PostgreSQL's ", name, " is not installed.")
  found[[1]]
}

run_postgres <- function(program, ...) {
  command <- c(postgres_program(program), ...)
  if (Sys.info()[["user"]] == "root") {
    command <- c("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", command)
  }
  status <- system2(command[[1]], shQuote(command[-1]),
    stdout = FALSE, stderr = FALSE, timeout = 120, env = "LC_ALL=C"
  )
  if (status != 0) stop("PostgreSQL's ", program, " failed.")
}

# Returns list(connect, stop, start). connect(user) opens a connection. The server stops with the
# test.
local_postgres <- function(options = "", env = parent.frame()) {
  # Some libraries warn if the machine has no time zone.
  withr::local_envvar(TZ = "UTC", .local_envir = env)
  folder <- tempfile("postgres", tmpdir = "/tmp")
  dir.create(folder)
  Sys.chmod(folder, "0777", use_umask = FALSE)
  data <- file.path(folder, "data")
  start <- function() {
    run_postgres("pg_ctl", "-D", data, "-w", "-l", file.path(folder, "log"), "-o",
      paste0("-k ", folder, " -c listen_addresses='' -c max_connections=60 ", options), "start"
    )
  }
  stop_server <- function(mode = "fast") {
    run_postgres("pg_ctl", "-D", data, "-m", mode, "-w", "stop")
  }
  withr::defer(
    {
      tryCatch(stop_server("immediate"), error = function(error) NULL)
      unlink(folder, recursive = TRUE)
    },
    envir = env
  )
  run_postgres("initdb", "-D", data, "-A", "trust", "-U", "curator", "--locale=C", "-E", "UTF8")
  start()
  force(folder)
  connect <- function(user = "curator") {
    DBI::dbConnect(RPostgres::Postgres(), dbname = "postgres", host = folder, user = user)
  }
  list(connect = connect, start = start, stop = stop_server, folder = folder)
}

on_server <- function(server, sql) {
  connection <- server$connect()
  on.exit(DBI::dbDisconnect(connection))
  DBI::dbExecute(connection, sql)
}

table_ledger <- function(server, epsilon = 1, table = "psilence_ledger", ...) {
  create_ledger(dp_postgres(server$connect, table), "survey", dp_unit(changes = 1),
    dp_epsilon(epsilon),
    version = "2026-03", ...
  )
}

table_lines <- function(server, table = "psilence_ledger") {
  connection <- server$connect()
  on.exit(DBI::dbDisconnect(connection))
  DBI::dbGetQuery(connection, paste("SELECT line FROM", table, "ORDER BY seq"))$line
}
