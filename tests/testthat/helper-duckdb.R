# DuckDB without R's package duckdb, which takes an hour to compile. It uses DuckDB's library, which
# tools/setup.sh copies, through package adbcdrivermanager. Connections have package duckdb's class
# and implement the part of DBI that queries and dbplyr use. As in that package, `dbSendQuery()`
# reads all rows at once, and `dbSendQueryArrow()` streams batches.

duckdb_library <- function() {
  path <- Sys.getenv("PSILENCE_DUCKDB")
  if (!file.exists(path)) stop("PSILENCE_DUCKDB must name libduckdb.so: tools/setup.sh.")
  path
}

# Connection to a database, in memory or in a file, while `env` lives.
local_duckdb <- function(env = parent.frame(), path = NULL) {
  if (!methods::isClass("duckdb_connection")) define_duckdb_connection()
  # Some libraries warn if the machine has no time zone.
  withr::local_envvar(TZ = "UTC", .local_envir = env)
  driver <- adbcdrivermanager::adbc_driver(duckdb_library(), "duckdb_adbc_init")
  database <- adbcdrivermanager::adbc_database_init(driver, path = path)
  connection <- adbcdrivermanager::adbc_connection_init(database)
  withr::defer(
    {
      if (adbcdrivermanager::adbc_xptr_is_valid(connection)) release_adbc(connection)
      adbcdrivermanager::adbc_database_release(database)
    },
    envir = env
  )
  methods::new("duckdb_connection", adbc = list2env(list(connection = connection)))
}

# An unreferenced stream belongs to the connection until R collects it. Collecting takes longer than
# most tests with a connection.
release_adbc <- function(connection) {
  tryCatch(adbcdrivermanager::adbc_connection_release(connection), error = function(error) {
    gc()
    adbcdrivermanager::adbc_connection_release(connection)
  })
}

close_duckdb <- function(connection) release_adbc(connection@adbc$connection)

# Loads package DBI here, not when this file is sourced. Tests in CRAN's tier run without DBI.
define_duckdb_connection <- function(where = globalenv()) {
  loadNamespace("DBI")
  methods::setClass("duckdb_connection",
    methods::representation("DBIConnection", adbc = "environment"),
    where = where
  )
  methods::setClass("duckdb_result", methods::representation("DBIResult", rows = "environment"),
    where = where
  )
  methods::setClass("duckdb_result_arrow",
    methods::representation("DBIResultArrow", held = "environment"),
    where = where
  )
  method <- function(generic, signature, body) {
    methods::setMethod(getExportedValue("DBI", generic), signature, body, where = where)
  }
  method("dbSendQuery", c("duckdb_connection", "character"), function(conn, statement, ...) {
    stream <- adbcdrivermanager::read_adbc(conn@adbc$connection, as.vector(statement))
    methods::new("duckdb_result", rows = list2env(list(left = as.data.frame(stream))))
  })
  method("dbFetch", "duckdb_result", function(res, n = -1, ...) {
    left <- res@rows$left
    taken <- seq_len(if (n < 0) nrow(left) else min(n, nrow(left)))
    res@rows$left <- left[setdiff(seq_len(nrow(left)), taken), , drop = FALSE]
    left[taken, , drop = FALSE]
  })
  method("dbHasCompleted", "duckdb_result", function(res, ...) nrow(res@rows$left) == 0)
  method("dbClearResult", "duckdb_result", function(res, ...) invisible(TRUE))
  method("dbSendQueryArrow", c("duckdb_connection", "character"), function(conn, statement, ...) {
    stream <- adbcdrivermanager::read_adbc(conn@adbc$connection, as.vector(statement))
    methods::new("duckdb_result_arrow", held = list2env(list(stream = stream)))
  })
  method("dbFetchArrow", "duckdb_result_arrow", function(res, ...) res@held$stream)
  method("dbClearResult", "duckdb_result_arrow", function(res, ...) {
    # Results that were read are already released.
    if (nanoarrow::nanoarrow_pointer_is_valid(res@held$stream)) res@held$stream$release()
    invisible(TRUE)
  })
  method("dbExecute", c("duckdb_connection", "character"), function(conn, statement, ...) {
    adbcdrivermanager::execute_adbc(conn@adbc$connection, as.vector(statement))
    invisible(0)
  })
  written <- c("duckdb_connection", "character", "data.frame")
  method("dbWriteTable", written, function(conn, name, value, ...) {
    adbcdrivermanager::write_adbc(value, conn@adbc$connection, name, mode = "replace")
    invisible(TRUE)
  })
  registerS3method("dbplyr_edition", "duckdb_connection", function(con) 2L,
    envir = asNamespace("dbplyr")
  )
}
