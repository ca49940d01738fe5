# Spark for tests, through package sparklyr: the one in SPARK_HOME, or the one that
# PSILENCE_SPARK_MASTER names (dev/tests.md).

# Session shared by all tests, because connecting takes longer than most tests.
spark_session <- local({
  session <- NULL
  function() {
    if (identical(session, "failed")) stop("Spark did not start.")
    if (is.null(session)) {
      session <<- "failed"
      folder <- withr::local_tempdir(.local_envir = testthat::teardown_env())
      session <<- open_spark(folder, Sys.getenv("PSILENCE_SPARK_MASTER", "local[2]"))
      withr::defer(sparklyr::spark_disconnect(session), envir = testthat::teardown_env())
    }
    session
  }
})

# `settings` are settings of sparklyr::spark_config().
open_spark <- function(folder, master, settings = spark_settings()) {
  config <- suppressWarnings(sparklyr::spark_config())
  # While other tests run, Spark takes longer to start than sparklyr waits.
  config$sparklyr.connect.timeout <- 240
  config$sparklyr.gateway.interval <- 30
  config$spark.sql.shuffle.partitions <- 2
  config[names(settings)] <- settings
  if (!nzchar(Sys.getenv("PSILENCE_SPARK_MASTER"))) {
    # The Spark of the tests has no Hive, and its tables belong to the tests.
    config$sparklyr.connect.enablehivesupport <- FALSE
    config$spark.sql.warehouse.dir <- file.path(folder, "warehouse")
    config$spark.local.dir <- file.path(folder, "scratch")
    # Spark first opens its port to test whether it is free, then closes it together with any
    # connections. sparklyr asks 20 times a second, so it must not ask before Spark's log shows an
    # open gateway.
    log <- file.path(folder, "spark.log")
    withr::local_envvar(SPARKLYR_LOG_FILE = log)
    config$sparklyr.connect.aftersubmit <- function() {
      wait_for_line(log, "Gateway .* is waiting for sparklyr client")
    }
  }
  arguments <- list(master = master, config = config)
  home <- Sys.getenv("SPARK_HOME")
  if (nzchar(home)) arguments$spark_home <- home
  method <- Sys.getenv("PSILENCE_SPARK_METHOD")
  if (nzchar(method)) arguments$method <- method
  arguments$config$sparklyr.gateway.port <- free_port()
  # Ignores the warning that sparklyr finds no web address. Tests do not use one.
  suppressWarnings(do.call(sparklyr::spark_connect, arguments))
}

wait_for_line <- function(file, pattern, seconds = 240) {
  end <- Sys.time() + seconds
  while (!file.exists(file) || !any(grepl(pattern, readLines(file, warn = FALSE)))) {
    if (Sys.time() > end) stop("No line of ", file, " has: ", pattern)
    Sys.sleep(0.1)
  }
}

# Parses "name=value", one per line.
spark_settings <- function(text = Sys.getenv("PSILENCE_SPARK_SETTINGS")) {
  lines <- strsplit(text, "\n", fixed = TRUE)[[1]]
  stats::setNames(as.list(sub("^[^=]*=", "", lines)), sub("=.*", "", lines))
}

# Shared session with its own `ansi` setting while `env` lives.
local_spark <- function(ansi, env = parent.frame()) {
  session <- spark_session()
  set <- function(value) {
    DBI::dbExecute(session, paste0("SET spark.sql.ansi.enabled = ", tolower(value)))
  }
  withr::defer(set(TRUE), envir = env)
  set(ansi)
  session
}

# nolint start: object_name_linter.
stays_on.spark_connection <- function(connection, data = hospital(), name = "stays") {
  spark_table(connection, name, data)
}
# nolint end

# Table of Parquet files. Strings are sent as bytes, and numbers as text with all digits.
spark_table <- function(connection, name, data) {
  types <- vapply(data, function(column) {
    switch(class(column)[[1]],
      character = "STRING", integer = "INT", numeric = "DOUBLE", logical = "BOOLEAN",
      Date = "DATE", POSIXct = "TIMESTAMP"
    )
  }, "")
  # SQL VALUES needs at least one row.
  cells <- Map(spark_cells, if (nrow(data) == 0) data[NA_integer_, , drop = FALSE] else data, types)
  names <- paste0("`", gsub("`", "``", names(data), fixed = TRUE), "`", recycle0 = TRUE)
  rows <- paste0("(", do.call(paste, c(unname(cells), sep = ", ")), ")")
  spark_run(connection, paste("DROP TABLE IF EXISTS", name))
  spark_run(connection, paste0(
    "CREATE TABLE ", name, " USING parquet AS SELECT ", toString(names), " FROM VALUES ",
    toString(rows), " AS v (", toString(names), ")", if (nrow(data) == 0) " WHERE FALSE"
  ))
  dplyr::tbl(connection, name)
}

spark_cells <- function(column, type) {
  texts <- if (type == "DOUBLE") {
    sub("Inf", "Infinity", sprintf("%.17g", column), fixed = TRUE)
  } else {
    enc2utf8(as.character(column))
  }
  bytes <- vapply(texts, function(text) paste(charToRaw(text), collapse = ""), "")
  literal <- paste0("CAST(CAST(X'", bytes, "' AS STRING) AS ", type, ")")
  missing <- is.na(column) & !(type == "DOUBLE" & is.nan(column))
  ifelse(missing, paste0("CAST(NULL AS ", type, ")"), literal)
}

# sparklyr's method for statements asks for the number of rows, and so reads them.
spark_run <- function(connection, sql) invisible(DBI::dbGetQuery(connection, sql))

# Address of a master and two workers, each in its own process, until `env` ends.
local_spark_cluster <- function(folder, env = parent.frame()) {
  port <- free_port()
  master <- paste0("spark://127.0.0.1:", port)
  run <- function(...) {
    process <- processx::process$new(file.path(Sys.getenv("SPARK_HOME"), "bin", "spark-class"),
      c(...),
      stdout = file.path(folder, "cluster.log"), stderr = "2>&1", cleanup_tree = TRUE,
      env = c("current",
        SPARK_WORKER_DIR = tempfile("worker", folder), SPARK_LOCAL_DIRS = tempfile("local", folder),
        SPARK_DAEMON_MEMORY = "256m"
      )
    )
    withr::defer(process$kill_tree(), envir = env)
  }
  deploy <- "org.apache.spark.deploy."
  run(paste0(deploy, "master.Master"), "--host", "127.0.0.1", "--port", port, "--webui-port", "0")
  for (worker in 1:2) {
    run(paste0(deploy, "worker.Worker"), master, "--host", "127.0.0.1", "-c", "1", "-m", "1g",
      "--webui-port", "0"
    )
  }
  master
}

# Settings for a cluster on this machine.
cluster_settings <- list(
  spark.driver.host = "127.0.0.1", spark.driver.bindAddress = "127.0.0.1",
  spark.executor.memory = "600m", spark.executor.cores = 1
)

# Stops one of the cluster's two executors, so none of its tasks end. Kills it once the other
# executor, or a third, starts an additional task, because Spark assigns tasks to both at once. A
# file `killed` in `folder` then names its process. Waits until both executors are there and one is
# stopped.
start_killer <- function(folder, env = parent.frame()) {
  script <- file.path(folder, "kill.sh")
  writeLines(c(
    "said() { cat worker*/app-*/*/stderr 2> /dev/null | grep -c \"$1\"; }",
    "while [ \"$(said 'Successfully registered with driver')\" -lt 2 ]; do sleep 0.05; done",
    "for process in /proc/[0-9]*; do",
    "  case \"$(cat \"$process/comm\") $(readlink \"$process/cwd\")\" in",
    "  \"java $PWD\"/worker*/app-*) victim=${process#/proc/} ;;",
    "  esac", "done",
    "kill -STOP \"$victim\" || exit",
    "before=$(said 'Running task')", "touch watching",
    "while [ \"$(said 'Running task')\" -le \"$before\" ]; do sleep 0.02; done",
    "kill -KILL \"$victim\" && echo \"$victim\" > killed"
  ), script)
  killer <- processx::process$new("sh", script, wd = folder)
  withr::defer(killer$kill(), envir = env)
  end <- Sys.time() + 240
  while (!file.exists(file.path(folder, "watching"))) {
    if (!killer$is_alive() || Sys.time() > end) stop("No executor of two was stopped.")
    Sys.sleep(0.02)
  }
  killer
}

free_port <- function() {
  for (port in sample(20000:30000, 100)) {
    socket <- tryCatch(serverSocket(port), error = function(error) NULL)
    if (!is.null(socket)) {
      close(socket)
      return(port)
    }
  }
  stop("No port is free.")
}
