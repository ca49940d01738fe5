server <- local_postgres(env = testthat::teardown_env())

test_that("DuckDB's rows arrive as Arrow batches, or in chunks if its driver has none", {
  local_verbs()
  connection <- local_duckdb()
  DBI::dbExecute(connection, paste(
    "CREATE TABLE odd AS SELECT * FROM (VALUES (CAST(-2147483648 AS INTEGER),",
    "CAST(-128 AS TINYINT), 1.25::DECIMAL(9,2), DATE '0001-01-01', 'a'),",
    "(7, 3, NULL, 'infinity', 'a' || chr(0)), (7, NULL, -99.5, '2026-03-01', ''),",
    "(NULL, 1, 1, NULL, 'a')) AS v (who, size, price, day, name)"
  ))
  released <- function(execute) {
    domain <- dp_domain(
      size = dp_int(-5, 5), price = dp_num(-10, 10), name = dp_levels("a", ""),
      day = dp_date(as.Date("0001-01-01"), as.Date("2030-01-01"))
    )
    dp_tbl(plenty(), dplyr::tbl(connection, "odd"), dp_unit(id = who), domain,
      execute = execute
    ) |>
      dp_truncate(max_rows = 9) |>
      summarise(
        n = dp_count(), people = dp_n_ids(), size = dp_sum(size), price = dp_sum(price),
        names = dp_n_missing(name), days = dp_n_missing(day)
      ) |>
      exact_release() |>
      as.data.frame()
  }
  expected <- released("push")
  expect_equal(unlist(expected),
    c(n = 3, people = 2, size = -2, price = -8.75, names = 1, days = 1),
    tolerance = 1e-6
  )
  with_batches <- function() {
    local_replaced("open_chunks", function(...) stop("no chunks"))
    released("stream")
  }
  expect_equal(with_batches(), expected, tolerance = 1e-6)
  without_batches <- function() {
    local_replaced("gives_batches", function(connection) FALSE)
    released("stream")
  }
  expect_equal(without_batches(), expected, tolerance = 1e-6)
  # Strings of a type that the core does not read.
  DBI::dbExecute(connection, "SET produce_arrow_string_view = true")
  expect_equal(released("stream"), expected, tolerance = 1e-6)
})

test_that("writes during PostgreSQL's stream are not part of it", {
  local_verbs()
  connection <- local_connection(server)
  DBI::dbExecute(connection,
    "CREATE TABLE moving AS SELECT 1 AS one FROM generate_series(1, 300000)"
  )
  moving <- dp_tbl(dp_session(dp_epsilon(1)), dplyr::tbl(connection, "moving"), dp_unit(rows = 1),
    dp_domain(one = dp_int(0, 9)),
    execute = "stream"
  )
  chunks <- core_hidden(tbl_data(moving)$rows)$open()
  seen <- unclass(chunks$`next`()$one)
  expect_gt(length(seen), 0)
  expect_lt(length(seen), 300000)
  on_server(server, "UPDATE moving SET one = 2")
  while (!is.null(chunk <- chunks$`next`())) seen <- c(seen, unclass(chunk$one))
  chunks$close()
  ones <- core_text_of_integer64(structure(seen, class = "integer64"))
  expect_identical(ones, rep("1", 300000))
})

test_that("PostgreSQL's permanent views are read, and its foreign tables are rejected", {
  local_verbs()
  connection <- local_connection(server)
  stays_on(connection)
  DBI::dbExecute(connection, "CREATE VIEW kept AS SELECT patient, days FROM stays")
  DBI::dbExecute(connection, "CREATE EXTENSION file_fdw")
  DBI::dbExecute(connection, "CREATE SERVER files FOREIGN DATA WRAPPER file_fdw")
  DBI::dbExecute(connection, paste(
    "CREATE FOREIGN TABLE outside (patient text, days integer) SERVER files",
    "OPTIONS (filename '/nowhere')"
  ))
  bound <- function(name) {
    dp_tbl(plenty(), dplyr::tbl(connection, name), dp_unit(rows = 1),
      dp_domain(days = dp_int(0, 60))
    )
  }
  expect_error(bound("outside"), "not a plain table or view", class = "dp_error_source")
  kept <- exact_release(summarise(bound("kept"), n = dp_count()))
  expect_equal(kept$n, nrow(hospital()))
})

test_that("DuckDB views are rejected, because they may stop at a file's line and show it", {
  local_verbs()
  connection <- local_duckdb()
  file <- withr::local_tempfile(fileext = ".csv", lines = c("age", 1:9))
  DBI::dbExecute(connection, paste0("CREATE VIEW lines AS FROM read_csv('", file, "')"))
  DBI::dbExecute(connection, "CREATE TABLE parts (age BIGINT, half AS (age // 2))")
  DBI::dbExecute(connection, paste0("CREATE TABLE \"Copied\" AS FROM read_csv('", file, "')"))
  bound <- function(path) {
    dp_tbl(plenty(), dplyr::tbl(connection, path), dp_unit(rows = 1),
      dp_domain(age = dp_int(0, 99))
    )
  }
  expect_error(bound("lines"), "not a plain table", class = "dp_error_source")
  expect_error(bound(dbplyr::in_schema("main", "LINES")), "not a plain table")
  expect_error(bound("parts"), "not a plain table", class = "dp_error_source")
  copied <- exact_release(summarise(bound("copied"), age = dp_sum(age)))
  expect_equal(copied$age, 45)
})

test_that("paths are parsed as SQL does", {
  path <- function(text) path_parts(structure(text, class = "dbplyr_table_path"))
  expect_identical(path("`a.b`.`c``d`"), c("a.b", "c`d"))
  expect_identical(path("\"a\"\"b\""), "a\"b")
  expect_identical(path("Clinic.visits_2"), c("clinic", "visits_2"))
  for (bad in c("", "a b", "a.", ".a", "\"a", "a;b", "read_csv('x')", "a\nb", "a.b.")) {
    expect_null(path(bad), info = bad)
  }
})

test_that("an unknown engine is named", {
  local_verbs()
  table <- dbplyr::tbl_lazy(data.frame(age = 1), con = dbplyr::simulate_mysql())
  expect_error(
    dp_tbl(dp_session(dp_epsilon(1)), table, dp_unit(rows = 1), dp_domain(age = dp_int(0, 9))),
    class = "dp_error"
  )
})
