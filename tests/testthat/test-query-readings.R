# Values that declared columns are read as. Engines have the same tests: helper-engine-suite.R.

test_that("rows in memory are read as their declarations say", {
  local_verbs()
  expect_readings(identity)
})

test_that("Arrow batches are read as their declarations say", {
  local_verbs()
  expect_readings(nanoarrow::as_nanoarrow_array)
})

test_that("texts are read in their encoding, row by row, and no person is lost", {
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

# Date-times without a zone ------------------------------------------------------------------------

# Days of these are 1 and 2 January, one before the bounds, and one after them.
moments <- c(
  "2026-01-01 00:00:00", "2026-01-01 23:59:59", "2026-01-02 12:00:00", "2025-12-31 23:59:59",
  "1969-12-31 23:59:59", "2026-02-01 00:00:00", NA
)

expect_moments_read <- function(source, ...) {
  table <- read_as(source, x = dp_date("2026-01-01", "2026-01-02", missing = NA), more = list(...))
  days <- exactly_released(count(table, x))
  expect_equal(days$x, as.Date(c("2026-01-01", "2026-01-02", NA)))
  expect_equal(days$n, c(2, 1, 4))
  found <- exactly_released(summarise(table,
    none = dp_n_missing(x), late = dp_sum(x > "2026-01-01")
  ))
  expect_equal(unlist(found), c(none = 1, late = 2))
}

test_that("Arrow's date-times without a zone are read as their days, in each unit", {
  local_verbs()
  times <- as.POSIXct(moments, tz = "UTC", format = "%Y-%m-%d %H:%M:%OS")
  for (unit in c("s", "ms", "us", "ns")) {
    schema <- nanoarrow::na_struct(list(x = nanoarrow::na_timestamp(unit, "")))
    expect_moments_read(nanoarrow::as_nanoarrow_array(data.frame(x = times), schema = schema))
  }
  zoned <- nanoarrow::na_struct(list(x = nanoarrow::na_timestamp("us", "Europe/Zurich")))
  zoned <- nanoarrow::as_nanoarrow_array(data.frame(x = times), schema = zoned)
  error <- expect_error(read_as(zoned, x = dp_date(tz = "Asia/Tokyo")), class = "dp_error_source")
  expect_match(conditionMessage(error), "`x` is of type timestamp with time zone", fixed = TRUE)
  expect_match(conditionMessage(error), "local_timestamp.*\"Asia/Tokyo\".*date32")
})

test_that("SQLite refuses a time zone for numbers, which are days, and reads texts as written", {
  local_verbs()
  connection <- DBI::dbConnect(RSQLite::SQLite())
  withr::defer(DBI::dbDisconnect(connection))
  instants <- as.POSIXct(c("2026-01-01 23:30:00", "2026-01-02 00:10:00"), tz = "UTC")
  DBI::dbWriteTable(connection, "instants", data.frame(x = instants, t = format(instants)))
  instants <- dplyr::tbl(connection, "instants")
  session <- plenty()
  read <- function(...) {
    dp_tbl(session, instants, dp_unit(rows = 1), dp_schema(...))
  }
  error <- expect_error(read(x = dp_date("2026-01-01", "2026-01-02", tz = "UTC")),
    class = "dp_error_source"
  )
  expect_match(conditionMessage(error), "CREATE TABLE ... AS SELECT date(x, 'unixepoch') AS x",
    fixed = TRUE
  )
  expect_identical(dp_spent(session)[["epsilon"]], 0)
  DBI::dbExecute(connection, "CREATE TABLE days AS SELECT date(x, 'unixepoch') AS x FROM instants")
  DBI::dbExecute(connection, "CREATE TABLE texts AS SELECT t AS x FROM instants")
  for (name in c("days", "texts")) {
    session <- plenty()
    table <- dp_tbl(session, dplyr::tbl(connection, name), dp_unit(rows = 1), dp_schema(
      x = dp_date("2026-01-01", "2026-01-02", tz = "UTC")
    ))
    expect_equal(exactly_released(count(table, x))$n, c(1, 1))
  }
})


has_zones <- function(connection) {
  found <- DBI::dbGetQuery(
    connection, "SELECT loaded FROM duckdb_extensions() WHERE extension_name = 'icu'"
  )
  isTRUE(found$loaded)
}

for (engine in c("DuckDB", "PostgreSQL")) {
  test_that(paste(engine, "reads date-times without a zone as their days, and no instants"), {
    local_verbs()
    connection <- if (engine == "DuckDB") local_duckdb() else local_connection(local_postgres())
    run <- function(...) DBI::dbExecute(connection, paste0(...))
    texts <- paste0(ifelse(is.na(moments), "NULL", paste0("'", moments, "'")), collapse = "), (")
    types <- c("TIMESTAMP", if (engine == "DuckDB") paste0("TIMESTAMP_", c("S", "MS", "NS")))
    for (type in types) {
      run("DROP TABLE IF EXISTS moments")
      run("CREATE TABLE moments (x ", type, ")")
      run("INSERT INTO moments VALUES (", texts, ")")
      for (route in c("push", "stream")) {
        expect_moments_read(dplyr::tbl(connection, "moments"), execute = route)
      }
    }
    run("CREATE TABLE ends (x TIMESTAMP)")
    run("INSERT INTO ends VALUES ('infinity'), ('-infinity'), (NULL)")
    for (route in c("push", "stream")) {
      table <- read_as(dplyr::tbl(connection, "ends"), x = dp_date("2026-01-01", "2026-01-02"),
        more = list(execute = route)
      )
      expect_equal(exactly_released(summarise(table, n = dp_n_missing(x)))$n, 3)
      checked <- exactly(dp_check(table, epsilon = 1e12))
      expect_equal(round(c(checked$missing, checked$undecodable)), c(1, 2))
    }
    run("CREATE TABLE instants (x TIMESTAMP WITH TIME ZONE)")
    run("INSERT INTO instants VALUES ('2026-01-01 23:30:00+00'), ('2026-01-01 12:00:00+00')")
    error <- expect_error(
      read_as(dplyr::tbl(connection, "instants"), x = dp_date(tz = "Asia/Tokyo")),
      class = "dp_error_source"
    )
    expect_match(conditionMessage(error), "`x`.* timestamp with time zone")
    # The code of the message makes days in the declared zone.
    code <- sub("(?s).*SELECT (.*), [.]{3} `.*", "\\1", conditionMessage(error), perl = TRUE)
    make <- paste("CREATE TABLE made AS SELECT", code, "FROM instants")
    if (engine == "DuckDB" && !has_zones(connection)) {
      # The function of zones is in the extension icu, which not every build has. The text parses.
      expect_error(run(make), "icu|timezone")
      return(invisible())
    }
    run(make)
    table <- read_as(dplyr::tbl(connection, "made"), x = dp_date("2026-01-01", "2026-01-02"))
    expect_equal(exactly_released(count(table, x))$n, c(1, 1))
  })
}
