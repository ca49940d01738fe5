# Makes a file of DuckDB with a table of people, larger than memory if wanted, for trials and the
# benchmark of engines.
#
#   Rscript data-raw/people_in_duckdb.R FILE [rows]
#
# There are 100 rows per person, 64-bit ids, 100 keys and values from 0 to 200, with 1e8 rows by
# default. Each value is a hash of the row number, so the table is the same each time.
people_sql <- function(rows, people = rows / 100) {
  sprintf(paste(
    "CREATE TABLE people AS SELECT",
    "CAST(hash(i) %% %.0f AS BIGINT) AS id, CAST(1 + hash(i + %.0f) %% 100 AS INTEGER) AS key,",
    "(hash(i + %.0f) %% 200001) / 1000.0::DOUBLE AS value FROM range(%.0f) AS r(i)"
  ), people, rows, 2 * rows, rows)
}

if (sys.nframe() == 0) {
  args <- commandArgs(TRUE)
  if (length(args) == 0) stop("Say which file, which must not be there.")
  source("tests/testthat/helper-duckdb.R")
  make <- function(path, rows) {
    DBI::dbExecute(local_duckdb(path = path), people_sql(rows))
  }
  make(args[[1]], as.numeric(c(args, 1e8)[[2]]))
}
