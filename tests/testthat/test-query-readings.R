# What declared columns are read as. Engines have the same tests: helper-engine-tests.R.

test_that("rows in memory are read as their declarations say", {
  local_verbs()
  expect_readings(identity)
})

test_that("Arrow batches are read as their declarations say", {
  local_verbs()
  expect_readings(nanoarrow::as_nanoarrow_array)
})

test_that("SQLite's rows are read as their declarations say", {
  local_verbs()
  connection <- DBI::dbConnect(RSQLite::SQLite(), extended_types = TRUE)
  withr::defer(DBI::dbDisconnect(connection))
  expect_readings(function(data) {
    DBI::dbWriteTable(connection, "readings", data, overwrite = TRUE)
    dplyr::tbl(connection, "readings")
  })
})

for (engine in c("DuckDB", "PostgreSQL")) {
  test_that(paste(engine, "reads columns as their declarations say"), {
    local_verbs()
    connection <- if (engine == "DuckDB") local_duckdb() else local_connection(local_postgres())
    for (route in c("push", "stream")) {
      expect_readings(function(data) stays_on(connection, data, "readings"), execute = route)
    }
  })
}

test_that("texts are read in their encoding, row by row, and nobody is lost", {
  local_verbs()
  expect_texts_read()
})

test_that("value labels are levels on request, and what a class calls missing is missing", {
  local_verbs()
  expect_labels_read()
})

test_that("times are read as days of a declared zone, and texts as ISO dates", {
  local_verbs()
  expect_times_read()
})
