# Files that DuckDB loads into a table.

visits_unit <- function() dp_unit(id = who)

visits_domain <- function() {
  dp_domain(
    `the day` = dp_date(as.Date("2020-01-01"), as.Date("2020-12-31")), age = dp_int(0, 99),
    cost = dp_num(-5, 5), paid = dp_flag(), ward = dp_levels("a,b", "\u00e9", "7")
  )
}

counted_visits <- function(source) {
  dp_tbl(plenty(), source, visits_unit(), visits_domain()) |>
    dp_truncate(max_rows = 100) |>
    summarise(
      n = dp_count(), people = dp_n_ids(), age = dp_sum(age), cost = dp_sum(cost),
      paid = dp_sum(paid), ward = dp_n_distinct(ward), days = dp_n_distinct(`the day`),
      ages = dp_n_missing(age), costs = dp_n_missing(cost), paids = dp_n_missing(paid),
      wards = dp_n_missing(ward), none = dp_n_missing(`the day`)
    ) |>
    exact_release() |>
    as.data.frame()
}

# Meaning of each line.
visits_lines <- c(
  "who,\"the day\",age,skipped,cost,paid,ward",
  "a,2020-01-02,7,secret,1.5,true,\"a,b\"",
  "b,2020-02-31,0x10,,nan,TRUE,\u00e9",
  "c,2020-1-2,2.5,,1e400,maybe,7",
  "d,NA,99999999999999999999,,,0,07",
  ",2020-03-01,1_000,,-Infinity,False,",
  "\"a\",infinity,-3,,-2,\"true\",\"say \"\"x\"\"\""
)

visits_known <- function() {
  data.frame(
    who = c("a", "b", "c", "d", NA, "a"),
    `the day` = as.Date(c("2020-01-02", NA, NA, NA, "2020-03-01", NA)),
    age = c(7L, NA, NA, NA, NA, -3L), cost = c(1.5, NaN, NaN, NA, -Inf, -2),
    paid = c(TRUE, TRUE, NA, NA, FALSE, TRUE),
    ward = c("a,b", "\u00e9", "7", "07", NA, "say \"x\""), check.names = FALSE
  )
}

test_that("cells of a CSV file follow their declaration, or are missing", {
  local_verbs()
  connection <- local_duckdb()
  folder <- withr::local_tempdir()
  lines <- enc2utf8(visits_lines)
  path <- file.path(folder, "o'visits.csv")
  writeLines(lines, path, useBytes = TRUE)
  loaded <- dp_load_files(connection, "visits \"1\"", path, visits_unit(), visits_domain())
  known <- visits_known()
  known$cost[[3]] <- DBI::dbGetQuery(connection, "SELECT TRY_CAST('1e400' AS DOUBLE) AS x")$x
  expected <- counted_visits(known)
  expect_equal(counted_visits(loaded), expected, tolerance = 1e-6, ignore_attr = TRUE)
  expect_setequal(DBI::dbGetQuery(connection, "DESCRIBE \"visits \"\"1\"\"\"")$column_name,
    c("who", names(visits_domain()))
  )
  # Compressed, tab-separated, in several files, with a different collation.
  tabs <- file.path(folder, c("one.tsv.gz", "two.tsv.gz"))
  for (file in tabs) {
    zipped <- gzfile(file, "wb")
    writeLines(gsub("\"a\tb\"", "\"a,b\"", gsub(",", "\t", lines, fixed = TRUE)), zipped,
      useBytes = TRUE
    )
    close(zipped)
  }
  DBI::dbExecute(connection, "SET default_collation = 'nocase'")
  twice <- dp_load_files(connection, "twice", tabs, visits_unit(), visits_domain())
  expect_equal(counted_visits(twice), counted_visits(rbind(known, known)),
    tolerance = 1e-6, ignore_attr = TRUE
  )
})

test_that("no value decides on the type of another cell", {
  local_verbs()
  types <- function(cell) {
    connection <- local_duckdb()
    path <- withr::local_tempfile(fileext = ".csv")
    writeLines(c("who,age,ward", rep("1,2,7", 3000), cell), path)
    domain <- dp_domain(age = dp_int(0, 99), ward = dp_levels("7"))
    dp_load_files(connection, "visits", path, visits_unit(), domain)
    DBI::dbGetQuery(connection, "DESCRIBE visits")$column_type
  }
  for (cell in c("1,2,7", "x,y,z", "\"\",\"\",\"\"", "2020-01-01,1e9,true")) {
    expect_identical(types(cell), c("BIGINT", "VARCHAR", "VARCHAR"), info = cell)
  }
})

test_that("Parquet files keep their types, and unsupported types raise errors", {
  local_verbs()
  connection <- local_duckdb()
  known <- visits_known()
  stays_on(connection, known, "known")
  path <- withr::local_tempfile(fileext = ".parquet")
  DBI::dbExecute(connection, paste0("COPY known TO ", quoted_text(path), " (FORMAT parquet)"))
  loaded <- dp_load_files(connection, "loaded", path, visits_unit(), visits_domain())
  expect_equal(counted_visits(loaded), counted_visits(known), tolerance = 1e-6, ignore_attr = TRUE)
  strange <- withr::local_tempfile(fileext = ".parquet")
  DBI::dbExecute(connection, paste0(
    "COPY (SELECT now() AS seen, 1 AS age) TO ", quoted_text(strange), " (FORMAT parquet)"
  ))
  unit <- dp_unit(id = seen)
  domain <- dp_domain(age = dp_int(0, 9))
  odd <- dp_load_files(connection, "odd", strange, unit, domain)
  expect_error(
    dp_tbl(dp_session(dp_epsilon(1)), odd, unit, domain),
    class = "dp_error_source"
  )
})

test_that("column names are UTF-8 in any locale, even after a byte order mark", {
  local_verbs()
  path <- withr::local_tempfile(fileext = ".csv")
  name <- "\u00e9\"t\u00e9 "
  domain <- structure(list(unclass(dp_domain(x = dp_int(0, 9)))[[1]]),
    names = name, class = class(dp_domain(x = dp_int(0, 9)))
  )
  writeLines(enc2utf8(c("\ufeff\"\u00e9\"\"t\u00e9 \"", "3", "4")), path, useBytes = TRUE)
  connection <- local_duckdb()
  loaded <- withr::with_locale(c(LC_CTYPE = "C"),
    dp_load_files(connection, "named", path, dp_unit(rows = 1), domain)
  )
  counted <- dp_tbl(plenty(), loaded, dp_unit(rows = 1), domain) |>
    summarise(n = dp_count(), x = dp_sum(!!as.name(name))) |>
    exact_release()
  expect_equal(c(counted$n, counted$x), c(2, 7))
})

test_that("files that cannot be loaded raise an error that shows no cell", {
  local_verbs()
  connection <- local_duckdb()
  folder <- withr::local_tempdir()
  load <- function(file, lines = NULL, name = "visits", ...) {
    path <- file.path(folder, file)
    if (!is.null(lines)) writeLines(lines, path)
    dp_load_files(connection, name, path, dp_unit(id = who), dp_domain(age = dp_int(0, 9)), ...)
  }
  refused <- function(code, kind) {
    error <- expect_error(code, class = paste0("dp_error_", kind))
    expect_no_match(paste(conditionMessage(error), toString(error$body)), "canary")
    expect_null(error$parent)
  }
  refused(load("gone.csv"), "source")
  refused(load("a*.csv", c("who,age", "a,1")), "source")
  refused(load(character(), name = "no"), "invalid_argument")
  refused(load("good.csv", c("who,age", "a,1"), na = NA), "invalid_argument")
  refused(load("rows.txt", c("who,age", "a,1")), "unsupported")
  refused(load("less.csv", c("who,years", "a,1")), "domain")
  refused(load("twice.csv", c("who,age,age", "a,1,2")), "source")
  refused(load("more.csv", c("who,age", "a,1", "canary,1,2,3")), "source")
  refused(load("fewer.csv", c("who,age", "a,1", "canary")), "source")
  refused(load("open.csv", c("who,age", "\"canary,1", rep("a,1", 3))), "source")
  refused(load("broken.parquet", "canary"), "source")
  load("good.csv", c("who,age", "a,1"))
  refused(load("good.csv"), "source")
  sqlite <- DBI::dbConnect(RSQLite::SQLite())
  withr::defer(DBI::dbDisconnect(sqlite))
  refused(
    dp_load_files(sqlite, "visits", file.path(folder, "good.csv"),
      dp_unit(id = who), dp_domain(age = dp_int(0, 9))
    ), "unsupported"
  )
  DBI::dbExecute(connection, "CREATE MACRO lower(x) AS 'canary'")
  refused(load("good.csv", name = "again"), "source")
})
