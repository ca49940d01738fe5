# Question: what does a private query of a table in DuckDB or PostgreSQL cost, noise included, next
# to what the engine takes for the plain numbers, and how much memory do streamed rows take?
#
#   Rscript benchmarks/engines.R [rows] [rows of the file that is streamed]
#
# By 100 keys, with one person for each five rows. Counts and sums of rows are pushed. Counts of
# people and means are streamed. Each person keeps 3 keys with 5 rows. data-raw/people_in_duckdb.R
# makes the file of 1e8 rows once. It has a hundredth of the rows' number of people, who keep 3 rows
# each. DuckDB may use 128 MiB of memory. The result is the peak of resident memory of the whole
# process, R and DuckDB included, from /proc of Linux. The engines are the ones that the tests
# start.
library(PSIlence)
suppressMessages(library(dplyr, warn.conflicts = FALSE))
source("benchmarks/compare.R")
source("data-raw/people_in_duckdb.R")
for (helper in c("duckdb", "postgres", "engine")) {
  source(sprintf("tests/testthat/helper-%s.R", helper))
}

sizes <- as.numeric(commandArgs(TRUE))
rows <- c(sizes, 5e6)[[1]]
rows_of_file <- if (length(sizes) > 1) sizes[[2]] else rows

bound <- function(connection, unit, ...) {
  dp_tbl(dp_session(dp_epsilon(1e9)), tbl(connection, "people"), unit,
    dp_domain(key = dp_int(1, 100), value = dp_num(0, 200)), ...
  )
}
of_rows <- function(connection) {
  query <- bound(connection, dp_unit(rows = 1), execute = "push") |>
    group_by(key) |>
    summarise(n = dp_count(), sum = dp_sum(value))
  function() release(query, epsilon = 1)
}
of_people <- function(connection) {
  query <- bound(connection, dp_unit(id = id), execute = "stream") |>
    dp_truncate(by = key, max_groups = 3, max_rows_per_group = 5) |>
    group_by(key) |>
    summarise(n = dp_count(), people = dp_n_ids(), mean = dp_mean(value))
  function() release(query, epsilon = 1)
}
asked <- function(connection, sql) function() DBI::dbGetQuery(connection, sql)
plain_sums <- "SELECT key, count(*), sum(value) FROM people GROUP BY key"
plain_people <- "SELECT key, count(DISTINCT id) FROM people GROUP BY key"
about <- function(engine, of) sprintf("%s, %g rows, %s", engine, rows, of)

with_duckdb <- function() {
  duckdb <- local_duckdb()
  DBI::dbExecute(duckdb, people_sql(rows, rows / 5))
  pushed <- compare(about("DuckDB", "no ids"), list(
    `pushed` = of_rows(duckdb), `plain GROUP BY` = asked(duckdb, plain_sums)
  ))
  streamed <- compare(about("DuckDB", "capped people"), list(
    `streamed` = of_people(duckdb), `COUNT(DISTINCT id) by key` = asked(duckdb, plain_people)
  ))
  target("DuckDB, counts and sums of rows, pushed", "plain GROUP BY",
    1 / times_ours(pushed, "plain GROUP BY"),
    at_most = 8
  )
  target("DuckDB, counts and means of capped people, streamed", "COUNT(DISTINCT id) by key",
    1 / times_ours(streamed, "COUNT(DISTINCT id) by key"),
    at_most = 1
  )
}

with_postgresql <- function() {
  server <- local_postgres("-c shared_buffers=512MB -c fsync=off")
  postgresql <- local_connection(server)
  DBI::dbExecute(postgresql, sprintf(paste(
    "CREATE TABLE people AS SELECT CAST(random() * %.0f AS bigint) AS id,",
    "1 + CAST(floor(random() * 100) AS integer) AS key, random() * 200 AS value",
    "FROM generate_series(1, %.0f)"
  ), rows / 5, rows))
  DBI::dbExecute(postgresql, "VACUUM ANALYZE people")
  pushed <- compare(about("PostgreSQL", "no ids"), list(
    `pushed` = of_rows(postgresql), `plain SUM of floats` = asked(postgresql, plain_sums)
  ))
  copy <- function() {
    command <- "COPY people (id, key, value) TO STDOUT"
    status <- system2(postgres_program("psql"),
      c("-h", server$folder, "-U", "curator", "-d", "postgres", "-qc", shQuote(command)),
      stdout = FALSE
    )
    stopifnot(status == 0)
  }
  streamed <- compare(about("PostgreSQL", "capped people"), list(
    `streamed` = of_people(postgresql), `COPY to a client` = copy
  ), rounds = 3)
  target("PostgreSQL, counts and sums of rows, pushed", "plain SUM of floats",
    1 / times_ours(pushed, "plain SUM of floats"),
    at_most = 1.2
  )
  target("PostgreSQL, counts and means of capped people, streamed", "COPY to a client",
    1 / times_ours(streamed, "COPY to a client"),
    at_most = 2
  )
}

# Runs in a separate process. Returns its peak of resident memory in MiB, the resident memory before
# the query, and the seconds of the query.
peak_of_file <- function(path) {
  library(PSIlence)
  suppressMessages(library(dplyr, warn.conflicts = FALSE))
  source("tests/testthat/helper-duckdb.R")
  resident <- function(field) {
    line <- grep(field, readLines("/proc/self/status"), value = TRUE)
    as.numeric(gsub("[^0-9]", "", line)) / 1024
  }
  connection <- local_duckdb(path = path)
  DBI::dbExecute(connection, "SET memory_limit = '128MiB'")
  query <- dp_tbl(dp_session(dp_epsilon(1)), tbl(connection, "people"), dp_unit(id = id),
    dp_domain(key = dp_int(1, 100), value = dp_num(0, 200)),
    execute = "stream"
  ) |>
    dp_truncate(max_rows = 3) |>
    group_by(key) |>
    summarise(n = dp_count(), people = dp_n_ids(), mean = dp_mean(value))
  before <- resident("^VmRSS")
  time <- system.time(release(query, epsilon = 1))[["elapsed"]]
  c(peak = resident("^VmHWM"), before = before, seconds = time)
}

with_file <- function() {
  folder <- withr::local_tempdir(tmpdir = Sys.getenv("PSILENCE_BENCH_TMPDIR", tempdir()))
  path <- file.path(folder, "people.duckdb")
  stopifnot(system2(file.path(R.home("bin"), "Rscript"),
    c("--vanilla", "data-raw/people_in_duckdb.R", path, format(rows_of_file, scientific = TRUE))
  ) == 0)
  environment(peak_of_file) <- globalenv()
  peak <- callr::r(peak_of_file, list(path), libpath = .libPaths())
  cat(sprintf("\nResident memory while %g rows of DuckDB are streamed, in MiB\n", rows_of_file))
  print(signif(peak, 3))
  target("memory while rows of DuckDB are streamed", "MiB, the whole process", peak[["peak"]],
    at_most = 512
  )
}

with_duckdb()
with_postgresql()
with_file()
